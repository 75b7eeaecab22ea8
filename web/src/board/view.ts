/**
 * What the board draws: everything a viewer sees of one round, and nothing about where it came from.
 *
 * The page maps a `MatchView` to this; the names follow `proto/fives/v1/view.proto`, whose comments say more. R-numbers are those
 * of the rulebook.
 */

/** A place where a tile can be joined: the two ends of the main line, the two arms of the spinner. */
export type End = "L" | "R" | "N" | "S";

/** The order in which ends are listed everywhere. */
export const ENDS: readonly End[] = ["L", "R", "N", "S"];

/** The end that a letter names, if it does. */
export function endNamed(letter: string): End | undefined {
  return ENDS.find((end) => end === letter);
}

/** The row that a tile lies in. */
export type Branch = "line" | "north" | "south";

/** A domino, 0 to 6 pips a half; `high >= low`. */
export interface Tile {
  readonly high: number;
  readonly low: number;
}

/** One tile on the table: `PlacedTile`. */
export interface LaidTile {
  readonly tile: Tile;
  readonly branch: Branch;
  /** On the line 0 is the lead, negative towards L, positive towards R; on an arm 1, 2, … outwards. */
  readonly position: number;
  /** The pips of the half that faces away from the lead, or on an arm from the spinner; of the lead, the half at R. */
  readonly outward: number;
  /** Whether it lies across its row, as every double does. */
  readonly crosswise: boolean;
  /** Whether it is the first double of the round. */
  readonly spinner: boolean;
}

/** An end that can be played on: `OpenEnd`. */
export interface BoardEnd {
  readonly end: End;
  /** The number that a half of the tile must equal. */
  readonly pip: number;
  /** What it adds to the total; absent for an arm that has not begun. */
  readonly counted?: number;
}

/** A seat as the board shows it. */
export interface BoardSeat {
  readonly seat: number;
  readonly side: number;
  /** What to call it; text as its player typed it. For a bot or an open seat the page fills in a word. */
  readonly name: string;
  /** Tiles in its hand, shown as backs. */
  readonly tileCount: number;
  /** Those tiles, for whoever may see them: shown open. */
  readonly hand?: readonly Tile[];
  readonly onTurn: boolean;
  /** Whether it is the viewer's own. */
  readonly own: boolean;
}

/** The play that was made last, to be shown with its points. */
export interface LastPlay {
  readonly seat: number;
  readonly tile: Tile;
  readonly points: number;
}

/** Everything that `drawBoard` draws. */
export interface BoardView {
  /** The round, from 0: tiles of another round are other tiles. */
  readonly round: number;
  /** The tiles on the table, first played first. */
  readonly tiles: readonly LaidTile[];
  /** The ends that can be played on, in the order L, R, N, S. */
  readonly ends: readonly BoardEnd[];
  /** What the ends count together. */
  readonly total: number;
  /** Face-down tiles that are left. */
  readonly boneyardCount: number;
  /** By number. */
  readonly seats: readonly BoardSeat[];
  /** The score of each side, by side; may be negative. */
  readonly scores: readonly number[];
  /** Points that win. */
  readonly target: number;
  /** The last play of this round; absent before the lead, and where nobody knows. */
  readonly last?: LastPlay;
}

/** Whether both halves of a tile are the same. */
export function isDouble(tile: Tile): boolean {
  return tile.high === tile.low;
}

export function isSame(one: Tile, other: Tile): boolean {
  return one.high === other.high && one.low === other.low;
}

/** A tile as the rules write it: `6-4`. */
export function tileName(tile: Tile): string {
  return `${tile.high}-${tile.low}`;
}
