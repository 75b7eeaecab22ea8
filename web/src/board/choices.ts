/** What a player may choose: which legal plays belong to which tile and end, where a tile can be dropped, where the keys go next. */

import type { DrawnBoard } from "./board.js";
import { type PlacedTile, layOut } from "./layout.js";
import type { Point } from "./rect.js";
import { joinTile, openEnds } from "./rows.js";
import { ENDS, type End, type LaidTile, type Tile, isSame } from "./view.js";

/** A legal play and what it scores; a lead names no end. */
export interface Choice {
  readonly tile: Tile;
  readonly end?: End;
  readonly points: number;
}

/** The legal plays of a turn. */
export class Choices {
  constructor(readonly plays: readonly Choice[]) {}

  /** The plays of a tile, by end in the order L, R, N, S. */
  of(tile: Tile): Choice[] {
    const place = ({ end }: Choice): number => (end === undefined ? -1 : ENDS.indexOf(end));
    return this.plays.filter((choice) => isSame(choice.tile, tile)).sort((one, other) => place(one) - place(other));
  }

  isPlayable(tile: Tile): boolean {
    return this.plays.some((choice) => isSame(choice.tile, tile));
  }

  /** The most that a tile scores at any end; 0 for one that fits nowhere. */
  best(tile: Tile): number {
    return Math.max(0, ...this.of(tile).map(({ points }) => points));
  }

  /** The play that needs no further question: the only one of its tile, or the one at the end that was named. */
  decided(tile: Tile, end?: End): Choice | undefined {
    const plays = this.of(tile);
    return end === undefined ? (plays.length === 1 ? plays[0] : undefined) : plays.find((choice) => choice.end === end);
  }

  /** The playable tile of a hand that the keys reach next, from the hand's beginning or end if none is chosen; round and round. */
  next(hand: readonly Tile[], from: Tile | undefined, by: 1 | -1): Tile | undefined {
    const start = from === undefined ? (by === 1 ? -1 : hand.length) : hand.findIndex((tile) => isSame(tile, from));
    for (let step = 1; step <= hand.length; step += 1) {
      const tile = hand[(((start + by * step) % hand.length) + hand.length) % hand.length];
      if (tile && this.isPlayable(tile)) return tile;
    }
    return undefined;
  }
}

/** A place to drop a tile. */
export interface Target {
  readonly choice: Choice;
  /** Its middle, in the pixels of the board. */
  readonly at: Point;
  /** How far from its middle a drop still counts, in pixels. */
  readonly reach: number;
}

/** What a thumb hits for sure: half of the 48 pixels that both phone systems ask for. */
const THUMB = 24;

/** How far beyond a tip a drop still counts, in half tiles. */
const REACH = 1.75;

/** Where the plays of a tile can be dropped. A lead can be dropped anywhere on the table. */
export function targets(drawn: DrawnBoard, choices: readonly Choice[]): Target[] {
  return choices.flatMap((choice): Target[] => {
    if (choice.end === undefined) {
      const { x0, y0, x1, y1 } = drawn.layout.shown;
      return [{ choice, at: drawn.at({ x: (x0 + x1) / 2, y: (y0 + y1) / 2 }), reach: (Math.hypot(x1 - x0, y1 - y0) / 2) * drawn.half }];
    }
    const slot = drawn.layout.slots.get(choice.end);
    return slot ? [{ choice, at: drawn.at(slot.at), reach: Math.max(REACH * drawn.half, THUMB) }] : [];
  });
}

/** The target that a drop is meant for: the nearest one in reach. */
export function targetAt(possible: readonly Target[], drop: Point): Target | undefined {
  const away = ({ at }: Target): number => Math.hypot(at.x - drop.x, at.y - drop.y);
  return possible
    .filter((target) => away(target) <= target.reach)
    .reduce<Target | undefined>((nearest, other) => (nearest && away(nearest) <= away(other) ? nearest : other), undefined);
}

/**
 * Where a tile would lie once it is played, so that it can be shown before; undefined if the picture would move for it, or if it does
 * not fit: a choice may be older than the view it is shown with.
 */
export function preview(drawn: DrawnBoard, tiles: readonly LaidTile[], { tile, end }: Choice): PlacedTile | undefined {
  const fitting = openEnds(tiles).filter(({ pip }) => tile.high === pip || tile.low === pip);
  if (end === undefined ? tiles.length > 0 : !fitting.some((open) => open.end === end)) return undefined;
  const { layout } = drawn;
  const next = layOut(joinTile(tiles, tile, end), layout.window, layout);
  const stays = next.shown.x0 === layout.shown.x0 && next.shown.x1 === layout.shown.x1 && next.shown.y0 === layout.shown.y0;
  return stays ? next.tiles.at(-1) : undefined;
}
