/**
 * Lays the tiles of a round on the table: each row runs straight on and turns before the window's edge, as people lay dominoes.
 *
 * The tiles are laid one after the other in the order of play, and each stays where it was laid. How much of the table the window
 * shows grows by steps: only then does the picture move. Only if rows should have enclosed each other is everything laid anew on a
 * larger table. The same tiles in the same window always lie the same way.
 */

import { type Direction, type Point, type Rect, type Size, EAST, NORTH, WEST, around, centre, centred, fits, moved, turned, within } from "./rect.js";
import { type Joint, type Kind, type Tip, joints, straight, tipAfter } from "./tip.js";
import { type Ground, BARELY, CAREFUL, goesOn, isClear, isOpen, keepsToQuarter } from "./ground.js";
import type { End, LaidTile } from "./view.js";

/** A tile in its place. */
export interface PlacedTile {
  readonly laid: LaidTile;
  readonly rect: Rect;
  /** The way that its row runs; the outward half is on this side, unless it lies crosswise. */
  readonly facing: Direction;
}

/** Where the next tile of an end would go. */
export interface Slot {
  readonly end: End;
  /** The middle of the half that would touch the row. */
  readonly at: Point;
  readonly facing: Direction;
}

export interface Layout {
  readonly window: Size;
  /** In the order of play. */
  readonly tiles: readonly PlacedTile[];
  /** What the window shows, in the shape of the window. */
  readonly shown: Rect;
  /** One for each row that can be played on now or later, the closed ends of the spinner included. */
  readonly slots: ReadonlyMap<End, Slot>;
  /** How it came about, so that laying can go on; absent before the lead. */
  readonly laid?: Laid;
}

/** What is shown around all tiles: room for what an end counts. */
const MARGIN = 1.5;

/** How much of the table rows make use of at first, margin included, in half tiles squared. */
const FIRST_AREA = 260;

/** How much of it is shown at first: a few tiles are large in the window, though rows run on as if there was more room already. */
const FIRST_SHOWN_AREA = 120;

/** By how much the table that rows make use of grows when a row cannot go on. */
const GROWTH = 1.25;

/** By how much the picture is zoomed out at least, and how much it then shows beyond what is needed. */
const ZOOM_MIN = 1.1;
const ZOOM_SPARE = 1.2;

/** How far a row looks ahead to the edge of the table: it is better to turn early than to zoom out, but not much better. */
const DEPTH_WITHIN = 2;

/** How often it grows for one tile before the rows are taken to have enclosed each other. */
const GROWTHS_MAX = 8;

/** How often everything is laid anew, on a table so much larger, before the rows are laid without a turn. */
const AFRESH_MAX = 4;

/** What is within the margins when the window shows so much of the table. */
function room(window: Size, area: number): Size {
  const half = Math.sqrt((window.width * window.height) / area);
  return { width: Math.max(window.width / half - 2 * MARGIN, 1), height: Math.max(window.height / half - 2 * MARGIN, 1) };
}

function kindOf(laid: LaidTile): Kind {
  return laid.crosswise ? "double" : "single";
}

/** The end that a tile was joined at; none for the lead. */
function endOf(laid: LaidTile): End | undefined {
  if (laid.branch === "north") return "N";
  if (laid.branch === "south") return "S";
  return laid.position === 0 ? undefined : laid.position < 0 ? "L" : "R";
}

function led(laid: LaidTile): { ground: Ground; placed: PlacedTile } {
  const reach = laid.crosswise ? 0.5 : 1;
  const rect = centred({ x: 0, y: 0 }, laid.crosswise ? { width: 1, height: 2 } : { width: 2, height: 1 });
  const side = (facing: Direction): Tip => ({
    at: moved({ x: 0, y: 0 }, facing, reach),
    facing,
    straightOn: laid.crosswise,
    corner: false,
    tile: 0,
  });
  const ground: Ground = {
    rects: [rect],
    bounds: rect,
    tips: new Map<End, Tip>([
      ["L", side(WEST)],
      ["R", side(EAST)],
    ]),
    pivot: { at: { x: 0, y: 0 }, right: EAST, up: NORTH },
    hasSpinner: false,
  };
  return { ground: laid.spinner ? withSpinner(ground, 0, centre(rect), EAST) : ground, placed: { laid, rect, facing: EAST } };
}

/** The table once tile number `tile` is the spinner: its arms are kept in mind from now on. */
function withSpinner(ground: Ground, tile: number, at: Point, right: Direction): Ground {
  // N is the upper end; of a spinner that lies flat, because its row runs upwards or downwards, the right one.
  const up = right === EAST || right === WEST ? NORTH : EAST;
  const arm = (facing: Direction): Tip => ({ at: moved(at, facing, 1), facing, straightOn: true, corner: false, tile });
  const tips = new Map(ground.tips).set("N", arm(up)).set("S", arm(turned(up, 2)));
  return { ...ground, tips, pivot: { at, right, up }, hasSpinner: true };
}

/** The table once a tile is joined. */
function joined(ground: Ground, end: End, joint: Joint, laid: LaidTile): Ground {
  const tile = ground.rects.length;
  const next: Ground = {
    ...ground,
    rects: [...ground.rects, joint.rect],
    bounds: around(ground.bounds, joint.rect),
    tips: new Map(ground.tips).set(end, tipAfter(joint, kindOf(laid), tile)),
  };
  if (!laid.spinner) return next;
  return withSpinner(next, tile, joint.inner, end === "R" ? joint.facing : turned(joint.facing, 2));
}

/** What a row gives up, one after the other, when it cannot have all of it. */
const MANNERS = [
  { quarter: true, care: CAREFUL },
  { quarter: false, care: CAREFUL },
  { quarter: false, care: BARELY },
] as const;

/** How a tile is joined, on a table that is larger than before if need be; undefined if rows have enclosed each other. */
function chosen(ground: Ground, end: End, tip: Tip, laid: LaidTile, window: Size, before: number): { joint: Joint; area: number } | undefined {
  const kind = kindOf(laid);
  const clear = joints(tip, kind).filter((joint) => isClear(joint.rect, ground.rects, tip.tile));
  for (const { quarter, care } of MANNERS) {
    const isMannerly = (joint: Joint): boolean => !quarter || keepsToQuarter(joint, end, ground.pivot);
    /** Whether the row can go on from a joint, on a table of a size or, without one, wherever there is room. */
    const leadsOn = (joint: Joint, size?: Size): boolean => {
      const { rects, bounds } = joined(ground, end, joint, laid);
      const ahead = size ? { ...care, depth: Math.min(care.depth, DEPTH_WITHIN) } : care;
      return goesOn(tipAfter(joint, kind, ground.rects.length), [...rects], bounds, ahead, (next, wider) => isMannerly(next) && (!size || fits(wider, size)));
    };
    const possible = clear.filter(isMannerly).map((joint) => ({ joint, leavesRoom: once(() => leadsOn(joint) && isOpen(joined(ground, end, joint, laid), care)) }));
    let area = before;
    for (let growths = 0; growths <= GROWTHS_MAX; growths += 1) {
      const size = room(window, area);
      const found = possible.find(({ joint, leavesRoom }) => fits(around(ground.bounds, joint.rect), size) && leadsOn(joint, size) && leavesRoom());
      if (found) return { joint: found.joint, area };
      // A larger table is no use where there is no room between tiles.
      if (!possible.some(({ leavesRoom }) => leavesRoom())) break;
      area *= GROWTH;
    }
  }
  return undefined;
}

/** A question that is asked only when its answer is wanted, and then once. */
function once(ask: () => boolean): () => boolean {
  let answer: boolean | undefined;
  return () => (answer ??= ask());
}

/** Tiles laid, and all that is needed to lay more. */
interface Laid {
  readonly tiles: readonly PlacedTile[];
  readonly ground: Ground;
  /** How much of the table the rows make use of. */
  readonly area: number;
  /** How often all was laid anew. */
  readonly afresh: number;
}

/** Lays one more tile; undefined if it belongs to no row. */
function withTile(before: Laid, laid: LaidTile, choose: (end: End, tip: Tip) => { joint: Joint; area: number } | undefined): Laid | undefined {
  const end = endOf(laid);
  const tip = end && before.ground.tips.get(end);
  if (end === undefined || tip === undefined) return undefined;
  const choice = choose(end, tip);
  if (choice === undefined) return undefined;
  const { joint, area } = choice;
  const placed = { laid, rect: joint.rect, facing: joint.facing };
  return { ...before, tiles: [...before.tiles, placed], ground: joined(before.ground, end, joint, laid), area };
}

/** Lays tiles after those that lie already, turning where needed; undefined if rows have enclosed each other. */
function laidOn(before: Laid, tiles: readonly LaidTile[], window: Size): Laid | undefined {
  return tiles.reduce<Laid | undefined>(
    (laid, tile) => laid && withTile(laid, tile, (end, tip) => chosen(laid.ground, end, tip, tile, window, laid.area)),
    before,
  );
}

/** Lays all tiles in four straight rows, which can never meet. A tile of no row is left out: no service sends one. */
function laidStraight(start: Laid, tiles: readonly LaidTile[]): Laid {
  return tiles.reduce(
    (laid, tile) => withTile(laid, tile, (_, tip) => ({ joint: straight(tip, kindOf(tile)), area: laid.area })) ?? laid,
    start,
  );
}

/** Lays all tiles, on a table as small as it can be. */
function laidAnew(lead: LaidTile, others: readonly LaidTile[], window: Size, afresh: number): Laid {
  const { ground, placed } = led(lead);
  const start = { tiles: [placed], ground, area: FIRST_AREA * GROWTH ** (3 * afresh), afresh };
  if (afresh > AFRESH_MAX) return laidStraight(start, others);
  return laidOn(start, others, window) ?? laidAnew(lead, others, window, afresh + 1);
}

/** How much of the table must be shown so that a rectangle is within the margins. */
function areaFor(bounds: Rect, window: Size): number {
  const across = (bounds.x1 - bounds.x0 + 2 * MARGIN) / window.width;
  const down = (bounds.y1 - bounds.y0 + 2 * MARGIN) / window.height;
  return Math.max(across, down) ** 2 * window.width * window.height;
}

/** What the window shows, followed from the lead on: it stands still as long as everything is within it. */
function shownOf(tiles: readonly PlacedTile[], window: Size): Rect {
  let area = FIRST_SHOWN_AREA;
  let inner = centred({ x: 0, y: 0 }, room(window, area));
  let bounds: Rect | undefined;
  for (const { rect } of tiles) {
    bounds = bounds ? around(bounds, rect) : rect;
    if (within(bounds, inner)) continue;
    // A little more than is needed now, so that the next tiles find room without moving the picture again.
    area = Math.max(area * ZOOM_MIN, areaFor(bounds, window) * ZOOM_SPARE);
    inner = centred(centre(bounds), room(window, area));
  }
  const half = Math.sqrt((window.width * window.height) / area);
  return centred(centre(inner), { width: window.width / half, height: window.height / half });
}

/** Where the next tile of an end would go if it is no double: what the end counts is shown there. */
function slot(ground: Ground, end: End, tip: Tip, shown: Rect): Slot {
  const clear = joints(tip, "single").filter((joint) => isClear(joint.rect, ground.rects, tip.tile));
  const best = clear.find((joint) => within(joint.rect, shown)) ?? clear[0] ?? straight(tip, "single");
  return { end, at: best.inner, facing: best.facing };
}

/** Whether `tiles` begins with what `before` has laid. */
function continues(tiles: readonly LaidTile[], before: readonly PlacedTile[]): boolean {
  return (
    before.length > 0 &&
    before.length <= tiles.length &&
    before.every(({ laid }, at) => {
      const other = tiles[at];
      return (
        other !== undefined &&
        laid.tile.high === other.tile.high &&
        laid.tile.low === other.tile.low &&
        laid.outward === other.outward &&
        laid.branch === other.branch &&
        laid.position === other.position
      );
    })
  );
}

/**
 * Where every tile lies in a window of this shape. With the layout before, only what is new is laid; the outcome is the same.
 */
export function layOut(tiles: readonly LaidTile[], window: Size, before?: Layout): Layout {
  const shape = { width: Math.max(window.width, 1), height: Math.max(window.height, 1) };
  const [lead, ...others] = tiles;
  if (lead === undefined) return { window: shape, tiles: [], shown: shownOf([], shape), slots: new Map() };
  let laid: Laid | undefined;
  let afresh = 0;
  const known = before?.laid;
  if (known && before.window.width === shape.width && before.window.height === shape.height && continues(tiles, known.tiles)) {
    const more = tiles.slice(known.tiles.length);
    laid = known.afresh > AFRESH_MAX ? laidStraight(known, more) : laidOn(known, more, shape);
    afresh = known.afresh + 1;
  }
  laid ??= laidAnew(lead, others, shape, afresh);
  const { ground } = laid;
  const shown = shownOf(laid.tiles, shape);
  const slots = new Map([...ground.tips].map(([end, tip]) => [end, slot(ground, end, tip, shown)]));
  return { window: shape, tiles: laid.tiles, shown, slots, laid };
}
