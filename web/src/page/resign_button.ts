/** Giving up, which is asked for twice. */

import { element } from "./element.js";
import { text } from "./language.js";

export function resignButton(resign: () => void): HTMLElement {
  const asked = element("span", { hidden: true });
  const ask = element("button", { type: "button", class: "quiet" }, text("resign"));
  const answer = (isSure: boolean) => () => {
    asked.hidden = true;
    ask.hidden = false;
    if (isSure) resign();
    else ask.focus();
  };
  const no = element("button", { type: "button", on: { click: answer(false) } }, text("no"));
  asked.append(text("resignSure"), " ", element("button", { type: "button", on: { click: answer(true) } }, text("yes")), " ", no);
  ask.addEventListener("click", () => {
    ask.hidden = true;
    asked.hidden = false;
    no.focus();
  });
  return element("p", { class: "resign" }, ask, asked);
}
