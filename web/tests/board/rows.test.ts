import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { joinTile, openEnds } from "../../src/board/rows.js";
import type { LaidTile } from "../../src/board/view.js";
import { layoutOf, tileOf } from "./written.js";

const GAMES = join(process.env.FIVES_WEB ?? ".", "../tests/games");

const counted = (tiles: readonly LaidTile[]): string =>
  openEnds(tiles)
    .filter((end) => end.counted !== undefined)
    .map((end) => `${end.end}${end.counted}`)
    .join(" ");

test("ends count what the worked examples of the rules say", () => {
  const lines = readFileSync(join(GAMES, "worked.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  assert.ok(lines.length > 40);
  for (const line of lines) {
    const [id, plays = "", ends, totals = ""] = line.split("|").map((part) => part.trim());
    const tiles = layoutOf(plays);
    assert.equal(counted(tiles), ends, id);
    const expected = totals.split(" ").map(Number);
    const sums = tiles.map((_, at) => openEnds(tiles.slice(0, at + 1)).reduce((sum, end) => sum + (end.counted ?? 0), 0));
    assert.deepEqual(sums, expected, id);
  }
});

test("the ends of whole recorded rounds are those of the record, and the legal plays are at them", () => {
  let plays = 0;
  for (const file of ["two-players.jsonl", "partners.jsonl"]) {
    for (const line of readFileSync(join(GAMES, file), "utf8").trim().split("\n")) {
      for (const hand of JSON.parse(line).hands) {
        let tiles: LaidTile[] = [];
        for (const event of hand.events) {
          if (event.play === null) continue;
          for (const legal of tiles.length > 0 ? event.legal : []) {
            const [tile, at] = legal.split("@");
            assert.doesNotThrow(() => joinTile(tiles, tileOf(tile), at));
          }
          tiles = joinTile(tiles, tileOf(event.play), event.end ?? undefined);
          assert.equal(counted(tiles), event.ends.map(([end, count]: [string, number]) => `${end}${count}`).join(" "));
          plays += 1;
        }
      }
    }
  }
  assert.ok(plays > 500);
});

test("what does not fit is refused", () => {
  for (const [layout, tile, end] of [
    ["5-5 5-0@R", "5-1", "N"],
    ["6-4 4-4@R", "4-1", "N"],
    ["6-4", "3-2", "R"],
    ["6-6 6-4@R 6-3@L 6-2@N", "6-1", "N"],
    ["6-4 4-3@R", "3-1", "S"],
  ] as const) {
    assert.throws(() => joinTile(layoutOf(layout), tileOf(tile), end), RangeError, `${layout} ${tile}@${end}`);
  }
});
