/** Asks for a new table. */

import type { Wish } from "../client/client.js";
import { BotKind, MatchVisibility } from "../gen/fives/v1/types_pb.js";
import type { MatchView } from "../gen/fives/v1/view_pb.js";
import { element } from "./element.js";
import { choice, form, tick } from "./form.js";
import { text } from "./language.js";
import { service } from "./service.js";

/** Seconds as people say them. */
function duration(seconds: number): string {
  return seconds < 120 ? text("seconds", { count: seconds }) : text("minutes", { count: seconds / 60 });
}

function durations(label: string, none: string, seconds: readonly number[], usual: number) {
  return choice(label, [["0", none], ...seconds.map((count) => [String(count), duration(count)] as const)], String(usual));
}

/**
 * How long a turn lasts, unless it is said otherwise. Without a clock a table whose player has walked away would stay for days; with one
 * a bot takes the seat over, until the player is back.
 */
const USUAL_TURN_S = 60;

const ME = { occupant: { case: "me", value: {} } } as const;

/** A table against one bot, as the form makes it if nobody changes anything. */
export const AGAINST_A_BOT: Wish = {
  seats: [ME, { occupant: { case: "bot", value: BotKind.GREEDY } }],
  visibility: MatchVisibility.PUBLIC,
  spectatorsAllowed: true,
  turnClock: { turnTimeMs: 1_000 * USUAL_TURN_S },
};

export function createForm(made: (view: MatchView) => void): HTMLFormElement {
  const players = choice(
    text("players"),
    (["2", "3", "4"] as const).map((count) => [count, text("playersCount", { count: Number(count) })] as const),
  );
  const others = choice(text("opponents"), [
    ["bots", text("opponentsBots")],
    ["people", text("opponentsPeople")],
  ] as const);
  const bots = choice(text("botsPlay"), [
    ["greedy", text("botsGreedy")],
    ["random", text("botsRandom")],
  ] as const);
  const visibility = choice(text("visibility"), [
    ["public", text("visibilityPublic")],
    ["private", text("visibilityPrivate")],
  ] as const);
  const partners = tick(text("partners"), false);
  const target = element("input", { type: "number", name: "target", min: "5", max: "1000", step: "5", inputmode: "numeric" });
  const turnTime = durations(text("turnTime"), text("turnTimeNone"), [30, USUAL_TURN_S, 300], USUAL_TURN_S);
  const spectators = tick(text("spectatorsAllowed"), true);
  const delay = durations(text("spectatorDelay"), text("spectatorDelayNone"), [10, 60, 300], 0);

  const fit = (): void => {
    partners.root.hidden = players.value() !== "4";
    bots.root.hidden = others.value() !== "bots";
    visibility.root.hidden = others.value() === "bots";
    delay.root.hidden = !spectators.value();
    // What the preset says (R22).
    target.placeholder = players.value() === "2" ? "250" : "200";
  };
  const fields = [
    players.root,
    partners.root,
    others.root,
    bots.root,
    visibility.root,
    element("label", {}, text("targetPoints"), target),
    turnTime.root,
    spectators.root,
    delay.root,
  ];
  const asked = form(fields, text("create"), async () => {
    const seats = Number(players.value());
    const withBots = others.value() === "bots";
    const occupant = withBots
      ? ({ case: "bot", value: bots.value() === "random" ? BotKind.RANDOM : BotKind.GREEDY } as const)
      : ({ case: "open", value: {} } as const);
    const turnTimeMs = 1_000 * Number(turnTime.value());
    const wish: Wish = {
      seats: [ME, ...Array.from({ length: seats - 1 }, () => ({ occupant }))],
      visibility: !withBots && visibility.value() === "private" ? MatchVisibility.PRIVATE : MatchVisibility.PUBLIC,
      spectatorsAllowed: spectators.value(),
      spectatorDelayS: spectators.value() ? Number(delay.value()) : 0,
      options: {
        ...(seats === 4 && partners.value() && { partners: true }),
        ...(target.value && { targetPoints: Number(target.value) }),
      },
      ...(turnTimeMs > 0 && { turnClock: { turnTimeMs } }),
    };
    made(await service.create(wish));
  });
  asked.addEventListener("change", fit);
  fit();
  return asked;
}
