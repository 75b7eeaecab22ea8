/** What lies on the table so far, and whether a row can go on from where it ends. */

import type { End } from "./view.js";
import { type Direction, type Point, type Rect, around, centre, centred, step, strip, tooClose, turned } from "./rect.js";
import { type Joint, type Kind, type Tip, joints, straight, tipAfter } from "./tip.js";

/** Tiles that do not touch by the rules keep this far apart, so that nobody takes them for neighbours. */
export const CLEARANCE = 0.4;

/** How far rows look ahead: enough for a double, what must follow it straight on, and the turn after that. */
const DEPTH = 3;

/** How careful a row is about what may come. */
export interface Care {
  /** For so many tiles it must be able to go on. */
  readonly depth: number;
  /** So many of them may be doubles. Doubles that take turns with other tiles never let a row turn, so not all can be provided for. */
  readonly doubles: number;
}

export const CAREFUL: Care = { depth: DEPTH, doubles: 1 };
export const BARELY: Care = { depth: 1, doubles: 1 };

/** How far from its tip a row looks: a double and two tiles, and what keeps clear of them. */
const REACH = 7;

/** How much room an arm of a spinner wants, so that it can begin and turn. */
const ARM_ROOM = 3;

/** The spinner, or the lead as long as there is none: what the quarters of the table are counted from. */
export interface Pivot {
  readonly at: Point;
  /** The way from it to R. */
  readonly right: Direction;
  /** The way from it to N. */
  readonly up: Direction;
}

export interface Ground {
  /** What each tile covers, in the order of play. */
  readonly rects: readonly Rect[];
  /** What all of them cover together. */
  readonly bounds: Rect;
  readonly tips: ReadonlyMap<End, Tip>;
  readonly pivot: Pivot;
  readonly hasSpinner: boolean;
}

/** Whether a rectangle keeps clear of all tiles but the one that it is joined to. */
export function isClear(rect: Rect, rects: readonly Rect[], joinedTo: number, clearance = CLEARANCE): boolean {
  return rects.every((other, tile) => tile === joinedTo || !tooClose(rect, other, clearance));
}

/** What a row may do: told by a joint and by what all tiles cover then. */
export type Permission = (joint: Joint, bounds: Rect) => boolean;

/** Whether a row can go on from a tip in ways that are allowed, whatever is played at it next. `bounds` is what `rects` cover. */
export function goesOn(tip: Tip, rects: Rect[], bounds: Rect, care: Care, isAllowed: Permission): boolean {
  // Next to a double no other double fits.
  const kinds: Kind[] = tip.straightOn || care.doubles === 0 ? ["single"] : ["single", "double"];
  return kinds.every((kind) =>
    joints(tip, kind).some((joint) => {
      const wider = around(bounds, joint.rect);
      if (!isAllowed(joint, wider) || !isClear(joint.rect, rects, tip.tile)) return false;
      if (care.depth === 1) return true;
      const further = { depth: care.depth - 1, doubles: kind === "double" ? care.doubles - 1 : care.doubles };
      // Laid for as long as is looked further, and taken up again: a list for each look would cost more than the looking.
      rects.push(joint.rect);
      const leadsOn = goesOn(tipAfter(joint, kind, rects.length - 1), rects, wider, further, isAllowed);
      rects.pop();
      return leadsOn;
    }),
  );
}

/** Whether a double at this tip would have room for both arms, should it become the spinner. */
function hasRoomForArms(tip: Tip, rects: readonly Rect[]): boolean {
  if (tip.straightOn) return true;
  const double = straight(tip, "double");
  return ([1, -1] as const).every((quarters) => {
    const facing = turned(double.facing, quarters);
    const { x, y } = step(facing);
    const edge = { x: double.inner.x + x, y: double.inner.y + y };
    return isClear(strip(edge, facing, ARM_ROOM, 0.5), rects, tip.tile);
  });
}

/** What a row can reach while it looks ahead: a tile beyond that is not in its way. */
function reach({ at }: Tip): Rect {
  return centred(at, { width: 2 * REACH, height: 2 * REACH });
}

/**
 * Whether every row of a table can still go on, now that the last tile lies there. Zooming out makes room at the edge, but none
 * between tiles.
 */
export function isOpen(ground: Ground, care: Care): boolean {
  const rects = [...ground.rects];
  const newest = rects[rects.length - 1];
  for (const tip of ground.tips.values()) {
    if (newest && !tooClose(newest, reach(tip), 0)) continue;
    if (!goesOn(tip, rects, ground.bounds, care, () => true)) return false;
    if (!ground.hasSpinner && !hasRoomForArms(tip, rects)) return false;
  }
  return true;
}

/** The way that the row of an end sets out from the pivot. */
function outset(pivot: Pivot, end: End): Direction {
  switch (end) {
    case "R":
      return pivot.right;
    case "L":
      return turned(pivot.right, 2);
    case "N":
      return pivot.up;
    case "S":
      return turned(pivot.up, 2);
  }
}

/**
 * Whether a joint keeps to the row's own axis, or to the quarter of the table clockwise of it, where it may run to and fro but never
 * back towards the axis: so a row never encloses itself.
 */
export function keepsToQuarter(joint: Joint, end: End, pivot: Pivot): boolean {
  const forward = outset(pivot, end);
  const sideways = turned(forward, 1);
  const along = step(forward);
  const side = step(sideways);
  const measured = (point: Point, axis: Point): number => (point.x - pivot.at.x) * axis.x + (point.y - pivot.at.y) * axis.y;
  const middle = centre(joint.rect);
  const aside = measured(middle, side);
  if (Math.abs(aside) < 0.01) return joint.facing === forward;
  const { x0, y0, x1, y1 } = joint.rect;
  const nearest = Math.min(measured({ x: x0, y: y0 }, along), measured({ x: x1, y: y1 }, along));
  return aside > 0 && nearest >= 1 + CLEARANCE && joint.facing !== turned(sideways, 2);
}
