/** A table in another page or in a video: the board alone, as large as the window calls for. */

import { AROUND_MAX, type DrawnBoard } from "../board/board.js";
import type { Size } from "../board/rect.js";
import type { BoardLook } from "./board_pane.js";
import { EmbedLook } from "./embed_look.js";

/** The room that the board is made for without being drawn larger. A video is looked at from farther away than a page. */
const PLAIN: Size = { width: 854, height: 480 };

/** How an embedded table looks; `undefined` on a page of its own. Which of the two it is, the service says: it lets only the one be framed. */
export const embedLook = document.documentElement.classList.contains("embedded") ? EmbedLook.of(new URLSearchParams(location.search)) : undefined;

/** Tells the style sheet how the page looks. */
export function dressPage({ scheme, felt }: EmbedLook): void {
  const root = document.documentElement;
  root.dataset.scheme = scheme;
  if (felt) root.style.setProperty("--embed-felt", felt);
}

/** How much of the window scores, total and seats may take when they are drawn larger. */
const AROUND_SHARE = 0.6;

/** How much larger than on a page; the table keeps its room. */
function scaleFor({ tracks, seats, scale }: EmbedLook, { width, height }: Size): number {
  const plain = Math.max(1, Math.min(width / PLAIN.width, height / PLAIN.height));
  const around = AROUND_MAX.head + (tracks ? AROUND_MAX.tracks : 0) + (seats ? AROUND_MAX.seats : 0);
  return Math.min(plain * scale, Math.max(plain, (AROUND_SHARE * height) / around));
}

/** How its board is drawn. What lies on top of it, the style sheet places by where the felt is. */
export function boardLook(look: EmbedLook): BoardLook {
  const { style } = document.documentElement;
  return {
    tracks: look.tracks,
    seats: look.seats,
    scale: (room) => {
      const scale = scaleFor(look, room);
      style.setProperty("--scale", String(scale));
      style.setProperty("--head", `${AROUND_MAX.head * scale}px`);
      return scale;
    },
    drawn: ({ at, layout: { shown } }: DrawnBoard) => {
      style.setProperty("--felt-top", `${at({ x: shown.x0, y: shown.y0 }).y}px`);
      style.setProperty("--felt-end", `${at({ x: shown.x1, y: shown.y1 }).y}px`);
    },
  };
}
