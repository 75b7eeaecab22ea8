/** What comes before a match: who one is, and at which table. */

import type { Me } from "../client/index.js";
import type { Wish } from "../client/client.js";
import { BotKind, MatchState, MatchVisibility } from "../gen/fives/v1/types_pb.js";
import type { MatchSummary, MatchView } from "../gen/fives/v1/view_pb.js";
import { element, write } from "./element.js";
import { text } from "./language.js";
import { seatNames } from "./names.js";
import { refusalText } from "./refusal_text.js";
import { service } from "./service.js";
import { stateText } from "./table_pane.js";

/** A form that says why it was refused, and cannot be sent twice at once. */
function form(fields: readonly Node[], label: string, send: () => Promise<void>): HTMLFormElement {
  const notice = element("p", { class: "notice", role: "alert", hidden: true });
  const button = element("button", {}, label);
  return element(
    "form",
    {
      class: "card",
      on: {
        submit: (event) => {
          event.preventDefault();
          button.disabled = true;
          notice.hidden = true;
          send()
            .catch((error: unknown) => {
              notice.hidden = false;
              write(notice, refusalText(error));
            })
            .finally(() => (button.disabled = false));
        },
      },
    },
    ...fields,
    notice,
    button,
  );
}

function choice<Value extends string>(label: string, options: readonly (readonly [Value, string])[]): { root: HTMLElement; value: () => Value } {
  const select = element("select", {});
  select.append(...options.map(([value, name]) => element("option", { value }, name)));
  return { root: element("label", {}, label, select), value: () => select.value as Value };
}

function tick(label: string, checked: boolean): { root: HTMLElement; value: () => boolean } {
  const box = element("input", { type: "checkbox", checked });
  return { root: element("label", { class: "tick" }, box, label), value: () => box.checked };
}

/** Asks for a name, and signs in with it. */
export function signInForm(signedIn: (me: Me) => void, known = ""): HTMLFormElement {
  const name = element("input", { name: "name", required: true, maxlength: "32", value: known, autocomplete: "nickname" });
  return form([element("label", {}, text("yourName"), name)], text("signIn"), async () => signedIn(await service.signIn(name.value.trim())));
}

/** Asks for a new table. */
export function createForm(made: (view: MatchView) => void): HTMLFormElement {
  const players = choice(
    text("players"),
    (["2", "3", "4"] as const).map((count) => [count, text("playersCount", { count: Number(count) })] as const),
  );
  const others = choice(text("opponents"), [
    ["bots", text("opponentsBots")],
    ["people", text("opponentsPeople")],
  ] as const);
  const visibility = choice(text("visibility"), [
    ["public", text("visibilityPublic")],
    ["private", text("visibilityPrivate")],
  ] as const);
  const partners = tick(text("partners"), false);
  const spectators = tick(text("spectatorsAllowed"), true);
  const target = element("input", { type: "number", name: "target", min: "5", max: "1000", step: "5", inputmode: "numeric" });
  partners.root.hidden = true;
  players.root.addEventListener("change", () => (partners.root.hidden = players.value() !== "4"));
  const fields = [players.root, partners.root, others.root, element("label", {}, text("targetPoints"), target), visibility.root, spectators.root];
  return form(fields, text("create"), async () => {
    const seats = Number(players.value());
    const occupant =
      others.value() === "bots"
        ? ({ case: "bot", value: BotKind.GREEDY } as const)
        : ({ case: "open", value: {} } as const);
    const wish: Wish = {
      seats: [{ occupant: { case: "me", value: {} } }, ...Array.from({ length: seats - 1 }, () => ({ occupant }))],
      visibility: visibility.value() === "private" ? MatchVisibility.PRIVATE : MatchVisibility.PUBLIC,
      spectatorsAllowed: spectators.value(),
      options: {
        ...(seats === 4 && partners.value() && { partners: true }),
        ...(target.value && { targetPoints: Number(target.value) }),
      },
    };
    made(await service.create(wish));
  });
}

/** Asks for the code of a private table. */
export function codeForm(joined: (view: MatchView) => void): HTMLFormElement {
  const code = element("input", { name: "code", required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
  return form([element("label", {}, text("inviteCode"), code)], text("joinTable"), async () => {
    joined(await service.join({ inviteCode: code.value.trim() }));
  });
}

/** Tables that one sits at already, and those that wait for somebody. */
export async function tables(me: Me): Promise<HTMLElement> {
  const [mine, open] = await Promise.all([service.myMatches(), service.openMatches(20)]);
  const isGoingOn = ({ state }: MatchSummary) => state === MatchState.OPEN || state === MatchState.LIVE;
  const own = mine.filter((match) => isGoingOn(match) && match.seats.some(({ playerId }) => playerId === me.playerId));
  const others = open.filter(({ matchId }) => !own.some((known) => known.matchId === matchId));
  return element("ul", { class: "cards" }, ...[...own, ...others].map(tableCard));
}

function tableCard(match: MatchSummary): HTMLLIElement {
  return element(
    "li",
    { class: "card" },
    element("a", { href: `/play?match=${match.matchId}` }, match.viewerSeat === undefined ? text("join") : text("navPlay")),
    element("p", {}, seatNames(match.seats).join(", ")),
    element("p", { class: "quiet" }, stateText({ state: match.state, voided: false })),
  );
}
