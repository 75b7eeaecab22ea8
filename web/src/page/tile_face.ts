import type { Tile } from "../board/view.js";
export function tileFace(tile: Tile): Text {
  return document.createTextNode(`${tile.high}|${tile.low}`);
}
