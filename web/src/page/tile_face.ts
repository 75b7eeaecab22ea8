/** A tile of the own hand, upright. */

import { tileShape } from "../board/tile_shape.js";
import type { Tile } from "../board/view.js";

export function tileFace(tile: Tile): SVGSVGElement {
  const face = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  face.setAttribute("viewBox", "-0.55 -1.05 1.1 2.1");
  face.setAttribute("class", "fives-board");
  face.setAttribute("aria-hidden", "true");
  const shape = tileShape(document.documentElement, tile.high, tile.low);
  shape.setAttribute("transform", "rotate(90)");
  face.append(shape);
  return face;
}
