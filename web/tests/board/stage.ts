/** The page of the browser tests: draws what it is asked for. */

import "../../src/board/board.css";
import "../../src/board/font.css";
import { drawBoard } from "../../src/board/board.js";
import { openEnds } from "../../src/board/rows.js";
import type { BoardView, Tile } from "../../src/board/view.js";
import { languageFor } from "../../src/words/language.js";
import type { Scene } from "./browser.js";
import { layoutOf, tileOf } from "./written.js";

function handOf(scene: Scene, seat: number): Tile[] {
  return (scene.hands?.[seat] ?? "").split(" ").filter(Boolean).map(tileOf);
}

function viewOf(scene: Scene): BoardView {
  const tiles = layoutOf(scene.plays);
  const ends = openEnds(tiles);
  const total = ends.reduce((sum, { counted }) => sum + (counted ?? 0), 0);
  const names = scene.names ?? ["Anna", "Bela"];
  const seat = scene.onTurn ?? 0;
  const last = tiles.at(-1);
  return {
    round: scene.round ?? 0,
    tiles,
    ends,
    total,
    boneyardCount: Math.max(28 - tiles.length - 5 * names.length, 0),
    seats: names.map((name, at) => ({
      seat: at,
      side: scene.partners === true ? at % 2 : at,
      name,
      tileCount: scene.hands ? handOf(scene, at).length : at === 1 ? 12 : 5,
      ...(scene.hands && { hand: handOf(scene, at) }),
      onTurn: at === seat,
      own: at === 0,
    })),
    scores: scene.scores ?? names.map((_, at) => 35 * at),
    target: 200,
    ...(last && { last: { seat: 1, tile: last.tile, points: total > 0 && total % 5 === 0 ? total : 0 } }),
  };
}

Object.assign(globalThis, {
  show(scene: Scene): void {
    const root = document.querySelector<SVGSVGElement>("#board");
    if (!root) return;
    root.setAttribute("width", String(scene.width));
    root.setAttribute("height", String(scene.height));
    drawBoard(root, viewOf(scene), {
      language: languageFor([scene.tag ?? "en"]),
      window: { width: scene.width, height: scene.height },
      ...(scene.chosen && { choices: scene.chosen.ends.map((end) => ({ tile: tileOf(scene.chosen?.tile ?? ""), end, points: 0 })) }),
      ...(scene.tracks !== undefined && { tracks: scene.tracks }),
      ...(scene.seats !== undefined && { seats: scene.seats }),
    });
  },
});
