/** Places on the table, measured in halves of a tile: a tile is 2 long and 1 wide. x grows to the right, y downwards. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The four ways that a row can run, each a quarter turn clockwise of the one before. */
export type Direction = 0 | 1 | 2 | 3;

export const EAST: Direction = 0;
export const SOUTH: Direction = 1;
export const WEST: Direction = 2;
export const NORTH: Direction = 3;

const STEPS: readonly Point[] = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
];

/** One step that way. */
export function step(direction: Direction): Point {
  return STEPS[direction] as Point;
}

/** The direction after some quarter turns clockwise. */
export function turned(direction: Direction, quarters: number): Direction {
  return ((((direction + quarters) % 4) + 4) % 4) as Direction;
}

/** The point some way off in a direction. */
export function moved(from: Point, direction: Direction, by: number): Point {
  const { x, y } = step(direction);
  return { x: from.x + x * by, y: from.y + y * by };
}

/** What reaches `ahead` in front of a point and `aside` to both sides of it. */
export function strip(from: Point, direction: Direction, ahead: number, aside: number): Rect {
  const near = moved(from, turned(direction, -1), aside);
  const far = moved(moved(from, direction, ahead), turned(direction, 1), aside);
  return {
    x0: Math.min(near.x, far.x),
    y0: Math.min(near.y, far.y),
    x1: Math.max(near.x, far.x),
    y1: Math.max(near.y, far.y),
  };
}

/** Whether two rectangles come closer to each other than `clearance` in both directions. */
export function tooClose(one: Rect, other: Rect, clearance: number): boolean {
  return (
    one.x0 < other.x1 + clearance &&
    other.x0 < one.x1 + clearance &&
    one.y0 < other.y1 + clearance &&
    other.y0 < one.y1 + clearance
  );
}

/** Whether `inner` lies in `outer`, borders included. */
export function within(inner: Rect, outer: Rect): boolean {
  return inner.x0 >= outer.x0 && inner.y0 >= outer.y0 && inner.x1 <= outer.x1 && inner.y1 <= outer.y1;
}

/** Whether a rectangle is no larger than a size. */
export function fits(rect: Rect, size: Size): boolean {
  return rect.x1 - rect.x0 <= size.width && rect.y1 - rect.y0 <= size.height;
}

/** The smallest rectangle around both. */
export function around(one: Rect, other: Rect): Rect {
  return {
    x0: Math.min(one.x0, other.x0),
    y0: Math.min(one.y0, other.y0),
    x1: Math.max(one.x1, other.x1),
    y1: Math.max(one.y1, other.y1),
  };
}

export function centre(rect: Rect): Point {
  return { x: (rect.x0 + rect.x1) / 2, y: (rect.y0 + rect.y1) / 2 };
}

/** The rectangle of a size around a point. */
export function centred(at: Point, size: Size): Rect {
  return {
    x0: at.x - size.width / 2,
    y0: at.y - size.height / 2,
    x1: at.x + size.width / 2,
    y1: at.y + size.height / 2,
  };
}
