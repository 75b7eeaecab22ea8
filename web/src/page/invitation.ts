/** What a link to a table shows to whoever is not at it: which table it is, who sits there, and the way to watch it. */

import type { MatchView } from "../client/index.js";
import { MatchState } from "../gen/fives/v1/types_pb.js";
import { watchAddress } from "./addresses.js";
import { element } from "./element.js";
import { text } from "./language.js";
import { seatNames, targetText } from "./names.js";
import { stateText } from "./table_pane.js";

/** What an address asks for. A private table is found by its id and opened by its code, or found by its code once one sits down. */
export interface Wanted {
  readonly matchId: string | undefined;
  readonly inviteCode: string;
}

export function watchLink(matchId: string, inviteCode: string): HTMLElement {
  return element("a", { class: "button", href: watchAddress(matchId, inviteCode) }, text("watch"));
}

export function invitation(view: MatchView, { inviteCode }: Wanted): HTMLElement {
  const isOpen = view.state === MatchState.OPEN;
  return element(
    "section",
    { class: "card invited" },
    element("h2", {}, isOpen ? text("invited") : stateText(view)),
    element("p", {}, seatNames(view.seats).join(", ")),
    element("p", { class: "quiet" }, targetText(view)),
    !isOpen && watchLink(view.matchId, inviteCode),
  );
}
