/** The end of a row, and the ways in which a tile can be joined there. */

import { type Direction, type Point, type Rect, moved, strip, turned } from "./rect.js";

/** Where a row ends. */
export interface Tip {
  /** The middle of the edge that the next tile touches. */
  readonly at: Point;
  /** The way that the row runs. */
  readonly facing: Direction;
  /** Whether it ends in a double, or is an end of the spinner: the row then goes straight on, since no double lies in a corner. */
  readonly straightOn: boolean;
  /** Whether its last tile turned a corner. */
  readonly corner: boolean;
  /** The tile that ends here, by its place in the order of play. */
  readonly tile: number;
}

/** A way to join a tile. */
export interface Joint {
  /** What the tile covers. */
  readonly rect: Rect;
  /** The way from its inner half to its outer half; of a double, the way that its row runs. */
  readonly facing: Direction;
  /** The middle of the half that touches the row; of a double, the middle. */
  readonly inner: Point;
  /** Where the row ends then. */
  readonly at: Point;
  /** Whether it turns a corner. */
  readonly corner: boolean;
}

/** What is joined: a double lies across its row (R16), any other tile along it. */
export type Kind = "double" | "single";

export function straight(tip: Tip, kind: Kind): Joint {
  const length = kind === "double" ? 1 : 2;
  return {
    rect: strip(tip.at, tip.facing, length, kind === "double" ? 1 : 0.5),
    facing: tip.facing,
    inner: moved(tip.at, tip.facing, 0.5),
    at: moved(tip.at, tip.facing, length),
    corner: false,
  };
}

/** Round a corner by `quarters`, with the inner half at `inner`. */
function cornered(tip: Tip, quarters: 1 | -1, inner: Point): Joint {
  const facing = turned(tip.facing, quarters);
  const back = moved(inner, facing, -0.5);
  return { rect: strip(back, facing, 2, 0.5), facing, inner, at: moved(back, facing, 2), corner: true };
}

/** With the inner half ahead of the row's last half. */
function ahead(tip: Tip, quarters: 1 | -1): Joint {
  return cornered(tip, quarters, moved(tip.at, tip.facing, 0.5));
}

/** With the inner half beside the row's last half. */
function beside(tip: Tip, quarters: 1 | -1): Joint {
  return cornered(tip, quarters, moved(moved(tip.at, tip.facing, -0.5), turned(tip.facing, quarters), 1));
}

/**
 * All ways to join a tile, the best first: straight on, then clockwise, so that the four rows of a layout each turn into a quarter
 * of the table of their own, as the arms of a pinwheel do. Beside first and ahead next makes a row that comes back three halves
 * away: far enough for doubles in both.
 */
export function joints(tip: Tip, kind: Kind): Joint[] {
  const on = straight(tip, kind);
  if (kind === "double" || tip.straightOn) return [on];
  return tip.corner
    ? [on, ahead(tip, 1), ahead(tip, -1), beside(tip, 1), beside(tip, -1)]
    : [on, beside(tip, 1), ahead(tip, 1), beside(tip, -1), ahead(tip, -1)];
}

/** Where the row ends once tile number `tile` is joined. */
export function tipAfter(joint: Joint, kind: Kind, tile: number): Tip {
  return { at: joint.at, facing: joint.facing, straightOn: kind === "double", corner: joint.corner, tile };
}
