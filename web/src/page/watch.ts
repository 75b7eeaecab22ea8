/** `/watch/<match>`: a table as anybody may see it. */

import { type MatchView, Refused, type Told, meaningOf } from "../client/index.js";
import { MatchState } from "../gen/fives/v1/types_pb.js";
import { replayAddress } from "./addresses.js";
import { askForCode } from "./ask_code.js";
import { element, write } from "./element.js";
import { boardLook, embedLook } from "./embed.js";
import { title } from "./frame.js";
import { text } from "./language.js";
import { seatNames } from "./names.js";
import { refusalText } from "./refusal_text.js";
import { remember } from "./seen.js";
import { service } from "./service.js";
import { sharePanel } from "./share.js";
import { TablePane } from "./table_pane.js";
import { whileVisible } from "./visible.js";

/** Shows what a stream tells, to its end; gives the last view. `seen` is called with each one. */
export async function watchMatch(pane: TablePane, stream: AsyncIterable<Told>, seen?: (told: Told & { kind: "view" }) => void): Promise<MatchView | undefined> {
  let newest: MatchView | undefined;
  for await (const told of stream) {
    pane.told(told);
    if (told.kind !== "view") continue;
    newest = told.view;
    remember(newest);
    seen?.(told);
  }
  return newest;
}

/** A caster's token, which opens the hands. Behind the `#`, so that it is sent to nobody with the address. */
function casterToken(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get("cast");
}

export async function watchPage(main: HTMLElement, matchId: string, inviteCode: string): Promise<void> {
  const pane = new TablePane();
  if (embedLook) pane.board.dress(boardLook(embedLook));
  const heading = element("h1", { class: "unseen" }, text("boardLabel"));
  main.replaceChildren(heading, pane.root);
  title(text("watch"));
  const token = casterToken();
  const stream = whileVisible((options) => (token ? service.cast(matchId, token, options) : service.watch(matchId, { ...options, inviteCode })));
  let isShown = false;
  try {
    const last = await watchMatch(pane, stream, ({ view, open }) => {
      const names = seatNames(view.seats).join(", ");
      write(heading, text("watchTable", { players: names }));
      title(names);
      if (view.state === MatchState.LIVE && open?.hands.length === 0) pane.warn(text("castNeedsDelay"));
      if (!isShown && !embedLook) main.append(sharePanel(matchId, inviteCode));
      isShown = true;
    });
    if (last?.state === MatchState.FINISHED && !embedLook) {
      pane.plays.root.append(element("p", {}, element("a", { class: "button", href: replayAddress(matchId, inviteCode) }, text("replay"))));
    }
  } catch (error) {
    const meaning = meaningOf(error);
    const needsCode = meaning instanceof Refused && meaning.reason === "INVITE_REQUIRED";
    if (needsCode && !embedLook) {
      return askForCode(main, text("watch"), async (code) => {
        await service.match(matchId, code);
        void watchPage(main, matchId, code);
      });
    }
    const why = token && needsToken(meaning) ? text("refusedCasterToken") : refusalText(error);
    // How the table stood is still worth something, to a video above all.
    if (isShown) return pane.warn(why);
    main.replaceChildren(element("p", { class: "notice", role: "alert" }, why));
  }
}

/** Whether it is the token that is not taken: whoever shows a match to others has no other way to sign in. */
function needsToken(meaning: unknown): boolean {
  return meaning instanceof Refused && (meaning.reason === "TOKEN_EXPIRED" || meaning.reason === "TOKEN_INVALID" || meaning.reason === "TOKEN_MISSING");
}
