/** `/play`: sit down and play. */

import { type MatchView, Refused, meaningOf } from "../client/index.js";
import type { Me } from "../client/session.js";
import { MatchState } from "../gen/fives/v1/types_pb.js";
import { playAddress, watchAddress } from "./addresses.js";
import { AGAINST_A_BOT, createForm } from "./create_form.js";
import { element } from "./element.js";
import { title } from "./frame.js";
import { type Wanted, invitation, watchLink } from "./invitation.js";
import { text } from "./language.js";
import { refusalText } from "./refusal_text.js";
import { Seat } from "./seat.js";
import { service } from "./service.js";
import { codeForm, signInForm, tables } from "./sit_down.js";

/** Whether the address asks for a table against a bot, at once. */
function wantsBot(): boolean {
  return new URLSearchParams(location.search).get("with") === "bot";
}

/** What the address asks for: a table by its id, by its code, or none yet. */
function wanted(): Wanted | undefined {
  const query = new URLSearchParams(location.search);
  const [matchId, inviteCode] = [query.get("match") ?? undefined, query.get("code") ?? ""];
  return matchId || inviteCode ? { matchId, inviteCode } : undefined;
}

export async function playPage(main: HTMLElement): Promise<void> {
  title(text("navPlay"));
  const { me } = service.session;
  const target = wanted();
  if (!me) return askWho(main, target);
  if (!target && !wantsBot()) return chooseTable(main, me);
  main.replaceChildren(element("p", { "aria-busy": "true" }, text("loading")));
  try {
    if (target) return sit(main, await seated(target, me), target);
    // Asked for once: neither the way back nor a reload makes another table.
    history.replaceState(null, "", "/play");
    sit(main, await service.create(AGAINST_A_BOT));
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning instanceof Refused && meaning.code === 16) return askWho(main, target);
    const isLate = meaning instanceof Refused && meaning.reason === "MATCH_ALREADY_STARTED";
    const watch = isLate && target?.matchId ? watchLink(target.matchId, target.inviteCode) : false;
    await chooseTable(main, me, [refusalText(error), " ", watch]);
  }
}

async function askWho(main: HTMLElement, target: Wanted | undefined): Promise<void> {
  const table = element("div", {});
  main.replaceChildren(element("h1", {}, text("playTitle")), table, signInForm(() => void playPage(main)));
  if (!target?.matchId) return;
  // What is no secret can be seen before one says who one is; for the rest it is asked once one has.
  const view = await service.match(target.matchId, target.inviteCode).catch(() => undefined);
  if (view) table.replaceChildren(invitation(view, target));
}

async function chooseTable(main: HTMLElement, me: Me, notice?: (string | Node | false)[]): Promise<void> {
  const opened = (view: MatchView) => sit(main, view);
  const waiting = element("div", {});
  main.replaceChildren(
    element("h1", {}, text("playTitle")),
    element("p", { class: "notice", role: "alert", hidden: notice === undefined }, ...(notice ?? [])),
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

/** The match that was asked for, with a seat at it if there was one to have. */
async function seated(target: Wanted, me: Me): Promise<MatchView> {
  const { matchId, inviteCode } = target;
  if (matchId === undefined) return seatedByCode(inviteCode);
  const view = await service.match(matchId, inviteCode);
  const isSeated = view.seats.some(({ playerId }) => playerId === me.playerId);
  if (isSeated || view.state !== MatchState.OPEN) return view;
  return service.join(inviteCode ? { inviteCode } : { matchId });
}

function seatedByCode(inviteCode: string): Promise<MatchView> {
  return service.join({ inviteCode }).catch(async (error: unknown) => {
    // By the same code again: one sits there already.
    const meaning = meaningOf(error);
    const isThere = meaning instanceof Refused && (meaning.reason === "ALREADY_SEATED" || meaning.reason === "MATCH_ALREADY_STARTED");
    const mine = isThere ? await service.myMatches() : [];
    for (const { matchId } of mine) {
      const view = await service.match(matchId);
      if (view.inviteCode.replaceAll("-", "") === inviteCode.toUpperCase().replaceAll(/[ -]/g, "")) return view;
    }
    throw error;
  });
}

/** Plays at a table from one's seat; whoever has none watches. */
function sit(main: HTMLElement, view: MatchView, target: Wanted = { matchId: view.matchId, inviteCode: "" }, isNext = false): void {
  if (view.viewerSeat === undefined) return location.replace(watchAddress(view.matchId, target.inviteCode));
  const address = playAddress(view.matchId);
  // An invitation is used once, and a rematch agreed on once: the way back does not lead to it.
  if (location.pathname + location.search !== address) history[target.inviteCode || isNext ? "replaceState" : "pushState"](null, "", address);
  const seat = new Seat(view, {
    left: () => location.assign("/play"),
    rematch: (next) => sit(main, next, undefined, true),
  });
  main.replaceChildren(element("h1", { class: "unseen" }, text("playTitle")), seat.root);
  // The form that led here may have been long.
  scrollTo(0, 0);
  void seat.follow();
}
