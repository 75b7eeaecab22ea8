/** What lies on the table so far, and whether a row can go on from where it ends. */

import type { End } from "./view.js";
import { type Direction, type Point, type Rect, step, strip, tooClose, turned, centre } from "./rect.js";
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
  readonly tips: ReadonlyMap<End, Tip>;
  readonly pivot: Pivot;
  readonly hasSpinner: boolean;
}

/** Whether a rectangle keeps clear of all tiles but the one that it is joined to. */
export function isClear(rect: Rect, rects: readonly Rect[], joinedTo: number, clearance = CLEARANCE): boolean {
  return rects.every((other, tile) => tile === joinedTo || !tooClose(rect, other, clearance));
}

/** Whether a row can go on from a tip in ways that are allowed, whatever is played at it next. */
export function goesOn(tip: Tip, rects: readonly Rect[], care: Care, isAllowed: (joint: Joint, rects: readonly Rect[]) => boolean): boolean {
  // Next to a double no other double fits.
  const kinds: Kind[] = tip.straightOn || care.doubles === 0 ? ["single"] : ["single", "double"];
  return kinds.every((kind) =>
    joints(tip, kind).some((joint) => {
      if (!isAllowed(joint, rects) || !isClear(joint.rect, rects, tip.tile)) return false;
      if (care.depth === 1) return true;
      const further = { depth: care.depth - 1, doubles: kind === "double" ? care.doubles - 1 : care.doubles };
      return goesOn(tipAfter(joint, kind, rects.length), [...rects, joint.rect], further, isAllowed);
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

/** Whether every row of a table can go on. Zooming out makes room at the edge, but none between tiles. */
export function isOpen(ground: Ground, care: Care): boolean {
  for (const tip of ground.tips.values()) {
    if (!goesOn(tip, ground.rects, care, () => true)) return false;
    if (!ground.hasSpinner && !hasRoomForArms(tip, ground.rects)) return false;
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
