/** How a table is shown to others: its address, a frame for a page, a source for a streaming program. */

import { watchAddress, whole } from "./addresses.js";
import { copyField } from "./copy_field.js";
import { element } from "./element.js";
import { text } from "./language.js";

/** A frame for another page. It says its own colours: where they are not those of what it shows, browsers fill it. */
function frameOf(address: string): string {
  const source = address.replaceAll("&", "&amp;");
  return `<iframe src="${source}" title="Fives" style="border:0;width:100%;aspect-ratio:16/9;color-scheme:light"></iframe>`;
}

function row(label: string, value: string): HTMLElement {
  const { shown, button, copied } = copyField(label, value);
  return element("p", { class: "share-row" }, element("span", { "aria-hidden": "true" }, label), shown, button, copied);
}

export function sharePanel(matchId: string, inviteCode: string): HTMLElement {
  const embedded = whole(watchAddress(matchId, inviteCode, { embed: "1" }));
  return element(
    "details",
    { class: "card share" },
    element("summary", {}, text("share")),
    row(text("shareLink"), whole(watchAddress(matchId, inviteCode))),
    row(text("shareFrame"), frameOf(embedded)),
    row(text("shareStream"), embedded),
    element("p", { class: "quiet" }, text("shareHint")),
  );
}
