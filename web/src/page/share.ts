/** How a table is shown to others: its address, a frame for a page, a source for a streaming program. */

import { element, write } from "./element.js";
import { text } from "./language.js";

/** What opens a table to who watches; with `embed=1` as a part of something else. */
function watchAddress(matchId: string, inviteCode: string, more: Readonly<Record<string, string>> = {}): string {
  const address = new URL(`/watch/${matchId}`, location.origin);
  address.search = new URLSearchParams({ ...more, ...(inviteCode && { code: inviteCode }) }).toString();
  return address.href;
}

/** A frame for another page. It says its own colours: where they are not those of what it shows, browsers fill it. */
function frameOf(address: string): string {
  const source = address.replaceAll("&", "&amp;");
  return `<iframe src="${source}" title="Fives" style="border:0;width:100%;aspect-ratio:16/9;color-scheme:light"></iframe>`;
}

function row(label: string, value: string): HTMLElement {
  const shown = element("input", { readonly: true, value, "aria-label": label, on: { focus: () => shown.select() } });
  const copied = element("span", { class: "unseen", role: "status" });
  const word = element("span", {}, text("copy"));
  const copy = async (): Promise<void> => {
    shown.select();
    // Without HTTPS there is no clipboard: then it is marked, ready to be copied by hand.
    await navigator.clipboard?.writeText(value);
    if (navigator.clipboard) for (const place of [word, copied]) write(place, text("copied"));
  };
  const button = element("button", { type: "button", on: { click: () => void copy().catch(() => undefined) } }, word, element("span", { class: "unseen" }, ` ${label}`));
  return element("p", { class: "share-row" }, element("span", { "aria-hidden": "true" }, label), shown, button, copied);
}

export function sharePanel(matchId: string, inviteCode: string): HTMLElement {
  const embedded = watchAddress(matchId, inviteCode, { embed: "1" });
  return element(
    "details",
    { class: "card share" },
    element("summary", {}, text("share")),
    row(text("shareLink"), watchAddress(matchId, inviteCode)),
    row(text("shareFrame"), frameOf(embedded)),
    row(text("shareStream"), embedded),
    element("p", { class: "quiet" }, text("shareHint")),
  );
}
