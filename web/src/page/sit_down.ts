/** What comes before a match: who one is, and at which table. */

import type { Me } from "../client/index.js";
import { MatchState } from "../gen/fives/v1/types_pb.js";
import type { MatchSummary, MatchView } from "../gen/fives/v1/view_pb.js";
import { playAddress } from "./addresses.js";
import { element } from "./element.js";
import { codeField, form } from "./form.js";
import { text } from "./language.js";
import { seatNames } from "./names.js";
import { service } from "./service.js";
import { stateText } from "./table_pane.js";

/** Asks for a name, and signs in with it. */
export function signInForm(signedIn: (me: Me) => void): HTMLFormElement {
  const name = element("input", { name: "name", required: true, maxlength: "32", autocomplete: "nickname" });
  return form([element("label", {}, text("yourName"), name)], text("signIn"), async () => signedIn(await service.signIn(name.value.trim())));
}

/** Asks for the code of a private table. */
export function codeForm(joined: (view: MatchView) => void): HTMLFormElement {
  const code = codeField();
  return form([code.root], text("joinTable"), async () => joined(await service.join({ inviteCode: code.value() })));
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
    element("a", { href: playAddress(match.matchId) }, match.viewerSeat === undefined ? text("join") : text("navPlay")),
    element("p", {}, seatNames(match.seats).join(", ")),
    element("p", { class: "quiet" }, stateText({ state: match.state, voided: false })),
  );
}
