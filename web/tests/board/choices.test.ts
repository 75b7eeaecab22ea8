import assert from "node:assert/strict";
import { test } from "node:test";

import type { DrawnBoard } from "../../src/board/board.js";
import { type Choice, Choices, preview, targetAt, targets } from "../../src/board/choices.js";
import { layOut } from "../../src/board/layout.js";
import { tooClose } from "../../src/board/rect.js";
import { openEnds } from "../../src/board/rows.js";
import type { End, LaidTile } from "../../src/board/view.js";
import { ALL_TILES, layoutOf, randomLayout, tileOf } from "./written.js";

/** A choice as a record writes it, with its points: `6-4@L 10`. */
function choice(text: string): Choice {
  const [play = "", points = "0"] = text.split(" ");
  const [tile = "", end] = play.split("@");
  return { tile: tileOf(tile), points: Number(points), ...(end !== undefined && { end: end as End }) };
}

/** A board as it is drawn in a window, without the drawing. */
function drawn(tiles: readonly LaidTile[], width: number, height: number): DrawnBoard {
  const layout = layOut(tiles, { width, height });
  const half = width / (layout.shown.x1 - layout.shown.x0);
  return { layout, half, at: ({ x, y }) => ({ x: (x - layout.shown.x0) * half, y: (y - layout.shown.y0) * half }) };
}

const CHOICES = new Choices(["6-4@S 0", "6-4@L 10", "5-2@R 5", "1-1@N 0"].map(choice));
const HAND = ["6-6", "6-4", "5-2", "3-3", "1-1"].map(tileOf);

test("plays belong to their tiles, by end in the order L, R, N, S", () => {
  assert.deepEqual(CHOICES.of(tileOf("6-4")).map(({ end }) => end), ["L", "S"]);
  assert.deepEqual(CHOICES.of(tileOf("6-6")), []);
  assert.deepEqual(HAND.map((tile) => CHOICES.isPlayable(tile)), [false, true, true, false, true]);
  assert.deepEqual(HAND.map((tile) => CHOICES.best(tile)), [0, 10, 5, 0, 0]);
});

test("a tile that fits one end needs no question, another one asks for the end", () => {
  assert.equal(CHOICES.decided(tileOf("5-2"))?.end, "R");
  assert.equal(CHOICES.decided(tileOf("6-4")), undefined);
  assert.equal(CHOICES.decided(tileOf("6-4"), "S")?.points, 0);
  assert.equal(CHOICES.decided(tileOf("5-2"), "L"), undefined);
});

test("keys go round the tiles that can be played, and pass over the others", () => {
  const walk = (by: 1 | -1): string[] => {
    const seen: string[] = [];
    let at = CHOICES.next(HAND, undefined, by);
    for (let step = 0; step < 4 && at; step += 1) {
      seen.push(`${at.high}-${at.low}`);
      at = CHOICES.next(HAND, at, by);
    }
    return seen;
  };
  assert.deepEqual(walk(1), ["6-4", "5-2", "1-1", "6-4"]);
  assert.deepEqual(walk(-1), ["1-1", "5-2", "6-4", "1-1"]);
  assert.equal(new Choices([]).next(HAND, undefined, 1), undefined);
  assert.equal(CHOICES.next([], undefined, 1), undefined);
});

test("a drop counts for the nearest end in reach of a thumb", () => {
  const board = drawn(layoutOf("1-1 1-5@L 1-6@R 1-4@N"), 360, 420);
  const places = targets(board, ["5-4@L", "5-4@N"].map(choice));
  assert.deepEqual(places.map(({ choice: { end } }) => end), ["L", "N"]);
  for (const { at, reach, choice: meant } of places) {
    assert.ok(reach >= 24);
    assert.equal(targetAt(places, at)?.choice, meant);
    assert.equal(targetAt(places, { x: at.x + 15, y: at.y - 15 })?.choice, meant);
  }
  const corner = { x: 5, y: 5 };
  assert.equal(targetAt(places, corner), undefined);
});

test("where two ends are near each other, each still gets the drops that are nearer to it", () => {
  const board = drawn(layoutOf("5-5"), 360, 420);
  const places = targets(board, ["5-4@L", "5-4@R"].map(choice));
  const middle = (places[0] as { at: { x: number } }).at.x + board.half;
  const y = (places[0] as { at: { y: number } }).at.y;
  assert.equal(targetAt(places, { x: middle - 3, y })?.choice.end, "L");
  assert.equal(targetAt(places, { x: middle + 3, y })?.choice.end, "R");
});

test("a lead can be dropped anywhere on the table", () => {
  const board = drawn([], 360, 420);
  const places = targets(board, [choice("5-5 10")]);
  for (const drop of [{ x: 1, y: 1 }, { x: 359, y: 419 }, { x: 180, y: 200 }]) assert.equal(targetAt(places, drop)?.choice.points, 10);
});

test("a tile is shown before it is played exactly where it will lie", () => {
  let shown = 0;
  for (let seed = 0; seed < 40; seed += 1) {
    const all = randomLayout(seed);
    const tiles = all.slice(0, 3 + (seed % 12));
    const board = drawn(tiles, 414, 600);
    const left = ALL_TILES.filter(({ high, low }) => !tiles.some(({ tile }) => tile.high === high && tile.low === low));
    for (const { end, pip } of openEnds(tiles)) {
      const tile = left.find(({ high, low }) => high === pip || low === pip);
      if (!tile) continue;
      const placed = preview(board, tiles, { tile, end, points: 0 });
      if (!placed) continue;
      shown += 1;
      assert.ok(board.layout.tiles.every(({ rect }) => !tooClose(rect, placed.rect, -0.01)));
      assert.ok(placed.rect.x0 >= board.layout.shown.x0 && placed.rect.x1 <= board.layout.shown.x1);
    }
  }
  assert.ok(shown > 60, `${shown} tiles were shown`);
});

test("a choice that is older than the view is not shown", () => {
  const tiles = layoutOf("6-4 4-4@R");
  const board = drawn(tiles, 414, 600);
  assert.equal(preview(board, tiles, choice("3-2@L")), undefined);
  assert.equal(preview(board, tiles, choice("6-3@N")), undefined);
  assert.equal(preview(board, tiles, choice("6-3")), undefined);
  assert.ok(preview(board, tiles, choice("6-3@L")));
  assert.ok(preview(drawn([], 414, 600), [], choice("5-5")));
});
