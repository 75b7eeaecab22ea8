/** `/watch/<match>`: a table as anybody may see it. */

import { type MatchView, Refused, meaningOf } from "../client/index.js";
import { MatchState } from "../gen/fives/v1/types_pb.js";
import { element } from "./element.js";
import { isEmbedded, title } from "./frame.js";
import { text } from "./language.js";
import { seatNames } from "./names.js";
import { refusalText } from "./refusal_text.js";
import { remember } from "./seen.js";
import { service } from "./service.js";
import { TablePane } from "./table_pane.js";

/** Shows a match in `place` until it ends or `signal`; `false` if it cannot be seen. */
export async function watchMatch(pane: TablePane, matchId: string, inviteCode: string, signal?: AbortSignal): Promise<MatchView | undefined> {
  let newest: MatchView | undefined;
  for await (const told of service.watch(matchId, { inviteCode, ...(signal && { signal }) })) {
    pane.told(told);
    if (told.kind !== "view") continue;
    newest = told.view;
    remember(newest);
  }
  return newest;
}

export async function watchPage(main: HTMLElement, matchId: string, inviteCode: string): Promise<void> {
  const pane = new TablePane();
  const heading = element("h1", { class: "unseen" }, text("boardLabel"));
  main.replaceChildren(heading, pane.root);
  title(text("watch"));
  try {
    const names = seatNames((await service.match(matchId, inviteCode)).seats);
    heading.textContent = text("watchTable", { players: names.join(", ") });
    title(names.join(", "));
    const last = await watchMatch(pane, matchId, inviteCode);
    if (last?.state === MatchState.FINISHED && !isEmbedded) {
      const more = new URLSearchParams(inviteCode ? { code: inviteCode } : {});
      const address = `/replay/${matchId}${inviteCode ? `?${more}` : ""}`;
      pane.plays.root.append(element("p", { class: "after" }, element("a", { class: "button", href: address }, text("replay"))));
    }
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning instanceof Refused && meaning.reason === "INVITE_REQUIRED") return askForCode(main, matchId);
    main.replaceChildren(element("p", { class: "notice", role: "alert" }, refusalText(error)));
  }
}

function askForCode(main: HTMLElement, matchId: string): void {
  const code = element("input", { name: "code", required: true, autocomplete: "off", autocapitalize: "characters" });
  const form = element(
    "form",
    {
      class: "card",
      on: {
        submit: (event) => {
          event.preventDefault();
          void watchPage(main, matchId, code.value);
        },
      },
    },
    element("p", {}, text("refusedInviteRequired")),
    element("label", {}, text("inviteCode"), code),
    element("button", {}, text("watch")),
  );
  main.replaceChildren(form);
}
