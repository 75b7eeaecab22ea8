/** A play of the chosen tile as a button: short for eyes, a sentence for screen readers. */

import type { Choice } from "../board/choices.js";
import { tileName } from "../board/view.js";
import { END_KEYS } from "../words/end.js";
import { element } from "./element.js";
import { text } from "./language.js";

/** What an end is called on a button, and where it points to. */
const SHORT = { L: ["shortL", "◀"], R: ["shortR", "▶"], N: ["shortN", "▲"], S: ["shortS", "▼"] } as const;

export function choiceButton({ tile, end, points }: Choice, play: () => void): HTMLButtonElement {
  const [short, arrow] = end ? SHORT[end] : (["lead", ""] as const);
  const words = { tile: tileName(tile), count: points };
  return element(
    "button",
    {
      type: "button",
      class: points > 0 ? "choice gains" : "choice",
      "data-end": end ?? "lead",
      on: { click: play },
    },
    element("span", { "aria-hidden": "true" }, `${arrow} ${text(short)}`.trim()),
    element("span", { "aria-hidden": "true" }, points > 0 ? text("pointsGained", { points }) : "0"),
    element("span", { class: "unseen" }, end ? text("choice", { ...words, end: text(END_KEYS[end]) }) : text("choiceLead", words)),
  );
}
