/** `/play`: sit down and play. */

import { type MatchView, Refused, isOver, meaningOf } from "../client/index.js";
import type { Me } from "../client/session.js";
import { MatchState } from "../gen/fives/v1/types_pb.js";
import { element } from "./element.js";
import { title } from "./frame.js";
import { text } from "./language.js";
import { refusalText } from "./refusal_text.js";
import { Seat } from "./seat.js";
import { service } from "./service.js";
import { codeForm, createForm, signInForm, tables } from "./sit_down.js";

/** What the address asks for: a table by its id, by its code, or none yet. */
function wanted(): { matchId: string } | { inviteCode: string } | undefined {
  const query = new URLSearchParams(location.search);
  const [matchId, inviteCode] = [query.get("match"), query.get("code")];
  if (matchId) return { matchId };
  return inviteCode ? { inviteCode } : undefined;
}

export async function playPage(main: HTMLElement): Promise<void> {
  title(text("navPlay"));
  const { me } = service.session;
  if (!me) return askWho(main);
  const target = wanted();
  if (!target) return chooseTable(main, me);
  main.replaceChildren(element("p", { class: "waiting", "aria-busy": "true" }, text("loading")));
  try {
    sit(main, await seated(target, me));
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning instanceof Refused && meaning.code === 16) return askWho(main);
    await chooseTable(main, me, refusalText(error));
  }
}

function askWho(main: HTMLElement): void {
  const known = service.session.me?.displayName;
  main.replaceChildren(element("h1", {}, text("playTitle")), signInForm(() => void playPage(main), known));
}

async function chooseTable(main: HTMLElement, me: Me, notice?: string): Promise<void> {
  const opened = (view: MatchView) => sit(main, view);
  const waiting = element("div", {});
  main.replaceChildren(
    element("h1", {}, text("playTitle")),
    element("p", { class: "notice", role: "alert", hidden: notice === undefined }, notice),
    element("p", { class: "quiet" }, text("signedInAs", { name: me.displayName })),
    element(
      "div",
      { class: "columns" },
      element("section", {}, element("h2", {}, text("createTable")), createForm(opened)),
      element("section", {}, element("h2", {}, text("joinTable")), codeForm(opened), waiting),
    ),
  );
  await tables(me).then(
    (list) => waiting.replaceChildren(list),
    (error: unknown) => waiting.replaceChildren(element("p", { class: "notice" }, refusalText(error))),
  );
}

/** The match that was asked for, with a seat at it. */
async function seated(target: { matchId: string } | { inviteCode: string }, me: Me): Promise<MatchView> {
  if ("inviteCode" in target) {
    return service.join(target).catch(async (error: unknown) => {
      // By the same link again: one sits there already.
      const meaning = meaningOf(error);
      const isThere = meaning instanceof Refused && (meaning.reason === "ALREADY_SEATED" || meaning.reason === "MATCH_ALREADY_STARTED");
      const mine = isThere ? await service.myMatches() : [];
      for (const { matchId } of mine) {
        const view = await service.match(matchId);
        if (view.inviteCode.replaceAll("-", "") === target.inviteCode.toUpperCase().replaceAll(/[ -]/g, "")) return view;
      }
      throw error;
    });
  }
  const view = await service.match(target.matchId);
  const isSeated = view.seats.some(({ playerId }) => playerId === me.playerId);
  return isSeated || view.state !== MatchState.OPEN ? view : service.join(target);
}

/** Plays at a table from one's seat; whoever has none watches. */
function sit(main: HTMLElement, view: MatchView): void {
  if (view.viewerSeat === undefined) return location.assign(`/watch/${view.matchId}`);
  const address = `/play?match=${view.matchId}`;
  if (location.pathname + location.search !== address) history.pushState(null, "", address);
  const seat = new Seat(view, {
    left: () => location.assign("/play"),
    rematch: (next) => sit(main, next),
  });
  main.replaceChildren(element("h1", { class: "unseen" }, text("playTitle")), seat.root);
  void seat.follow().catch((error: unknown) => {
    if (!isOver(view)) seat.pane.warn(refusalText(error));
  });
}
