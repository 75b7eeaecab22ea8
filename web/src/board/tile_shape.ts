/** Tiles as shapes. A half is 1 wide; a tile lies flat around 0, 0, with its first half at the left. */

import type { Point } from "./rect.js";
import { add, make } from "./svg.js";

/** How far from the middle of a half its outer pips are. */
const SPREAD = 0.25;

const CORNERS: readonly Point[] = [
  { x: -SPREAD, y: -SPREAD },
  { x: SPREAD, y: SPREAD },
  { x: SPREAD, y: -SPREAD },
  { x: -SPREAD, y: SPREAD },
];
const MIDDLE: Point = { x: 0, y: 0 };
/** The third pips of the rows of six, which run along the tile. */
const SIDES: readonly Point[] = [
  { x: 0, y: -SPREAD },
  { x: 0, y: SPREAD },
];

/** Where the pips of a half are, from its middle. */
export function pips(count: number): Point[] {
  const paired = count >= 6 ? [...CORNERS, ...SIDES] : CORNERS.slice(0, count - (count % 2));
  return count % 2 === 1 ? [...paired, MIDDLE] : paired;
}

/** A tile that shows its pips, `left` in the half at the left. */
export function tileShape(owner: Element, left: number, right: number): SVGGElement {
  const tile = make(owner, "g", { class: "fives-tile" });
  add(tile, "rect", { class: "fives-tile-body", x: -0.96, y: -0.46, width: 1.92, height: 0.92, rx: 0.13 });
  add(tile, "line", { class: "fives-tile-line", x1: 0, y1: -0.34, x2: 0, y2: 0.34 });
  for (const [count, middle] of [
    [left, -0.5],
    [right, 0.5],
  ] as const) {
    for (const { x, y } of pips(count)) add(tile, "circle", { class: "fives-pip", cx: middle + x, cy: y, r: 0.095 });
  }
  return tile;
}

/** The rivet that a spinner turns on. */
export function rivet(tile: SVGGElement): void {
  add(tile, "circle", { class: "fives-rivet", cx: 0, cy: 0, r: 0.11 });
}

/** A tile seen from behind, standing on its short edge, its upper left corner at 0, 0. */
export function backShape(owner: Element, width: number): SVGRectElement {
  return make(owner, "rect", { class: "fives-back", width, height: 2 * width, rx: width / 6 });
}
