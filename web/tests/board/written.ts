/** Layouts as the rules write them, `6-4 4-4@R`, and layouts by chance. */

import { joinTile, openEnds } from "../../src/board/rows.js";
import { type End, type LaidTile, type Tile } from "../../src/board/view.js";

export function tileOf(text: string): Tile {
  const [one = 0, other = 0] = text.split("-").map(Number);
  return { high: Math.max(one, other), low: Math.min(one, other) };
}

/** The tiles of `5-5 5-3@R …`, first played first; the lead keeps the orientation that is written. */
export function layoutOf(text: string): LaidTile[] {
  return text
    .split(" ")
    .filter((play) => play !== "")
    .reduce<LaidTile[]>((tiles, play) => {
      const [tile = "", end] = play.split("@");
      const outward = end === undefined ? Number(tile.split("-")[1]) : undefined;
      return joinTile(tiles, tileOf(tile), end as End | undefined, outward);
    }, []);
}

/** Numbers that follow from a seed (mulberry32), each below `bound`. */
export function chance(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

export const ALL_TILES: readonly Tile[] = Array.from({ length: 7 }, (_, high) =>
  Array.from({ length: high + 1 }, (_, low) => ({ high, low })),
).flat();

/** How a layout by chance leans. */
export interface Lean {
  /** Plays at these ends where it can. */
  readonly ends?: readonly End[];
  /** Keeps doubles for later while anything else fits. */
  readonly lateDoubles?: boolean;
}

/** A layout by chance: legal plays until nothing fits any more. */
export function randomLayout(seed: number, lean: Lean = {}): LaidTile[] {
  const below = chance(seed);
  const left = [...ALL_TILES];
  const singles = left.filter((tile) => tile.high !== tile.low);
  const leads = lean.lateDoubles ? singles : left;
  const lead = leads[below(leads.length)] as Tile;
  left.splice(left.indexOf(lead), 1);
  let tiles = joinTile([], lead);
  for (;;) {
    let plays = openEnds(tiles).flatMap(({ end, pip }) =>
      left.filter((tile) => tile.high === pip || tile.low === pip).map((tile) => ({ tile, end })),
    );
    const leaning = plays.filter(({ end }) => lean.ends?.includes(end));
    if (leaning.length > 0) plays = leaning;
    const plain = plays.filter(({ tile }) => tile.high !== tile.low);
    if (lean.lateDoubles && plain.length > 0) plays = plain;
    const play = plays[below(Math.max(plays.length, 1))];
    if (play === undefined) return tiles;
    left.splice(left.indexOf(play.tile), 1);
    tiles = joinTile(tiles, play.tile, play.end);
  }
}

/** The longest of some layouts by chance. */
export function longLayout(seed: number, lean: Lean = {}): LaidTile[] {
  return Array.from({ length: 40 }, (_, attempt) => randomLayout(seed * 40 + attempt, lean)).reduce((longest, other) =>
    other.length > longest.length ? other : longest,
  );
}
