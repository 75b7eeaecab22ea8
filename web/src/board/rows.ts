/** The rows of a layout: what joining a tile makes of them, and what their ends show and count. */

import { type BoardEnd, type Branch, type End, type LaidTile, type Tile, ENDS, isDouble } from "./view.js";

/** The row that an end belongs to. */
function branchOf(end: End): Branch {
  if (end === "N") return "north";
  return end === "S" ? "south" : "line";
}

/** The last tile of an end's row; for an arm that has not begun, none. */
function tipOf(tiles: readonly LaidTile[], end: End): LaidTile | undefined {
  const outwards = end === "L" ? -1 : 1;
  const branch = branchOf(end);
  return tiles
    .filter((laid) => laid.branch === branch && laid.position * outwards >= 0)
    .reduce<LaidTile | undefined>((far, laid) => (far && far.position * outwards > laid.position * outwards ? far : laid), undefined);
}

/** Whether both sides of a double on the line are covered. */
function isCovered(tiles: readonly LaidTile[], laid: LaidTile): boolean {
  const has = (position: number): boolean => tiles.some((other) => other.branch === "line" && other.position === position);
  return has(laid.position - 1) && has(laid.position + 1);
}

/** The number at an end. The lead shows its outward half at R and the other one at L. */
function pipAt(tip: LaidTile, end: End): number {
  if (tip.branch === "line" && tip.position === 0 && end === "L") {
    return tip.tile.high + tip.tile.low - tip.outward;
  }
  return tip.outward;
}

/** The ends that can be played on, in the order L, R, N, S, and what each counts (R18, R20). */
export function openEnds(tiles: readonly LaidTile[]): BoardEnd[] {
  const spinner = tiles.find((laid) => laid.spinner);
  return ENDS.flatMap((end): BoardEnd[] => {
    const tip = tipOf(tiles, end);
    if (tip === undefined) {
      const isArm = end === "N" || end === "S";
      return isArm && spinner && isCovered(tiles, spinner) ? [{ end, pip: spinner.outward }] : [];
    }
    const pip = pipAt(tip, end);
    // A double led alone is one tile with two ends: R20 counts its pips once, half of them at each end.
    const both = isDouble(tip.tile) && tiles.length > 1;
    return [{ end, pip, counted: both ? 2 * pip : pip }];
  });
}

/**
 * The tiles once one more is joined; a lead names no end and lies with its higher half at L, unless `outward` says otherwise.
 * Throws if the tile does not fit: whoever asks has it from the service or from a record that was checked.
 */
export function joinTile(tiles: readonly LaidTile[], tile: Tile, end?: End, outward = tile.low): LaidTile[] {
  const crosswise = isDouble(tile);
  const spinner = crosswise && !tiles.some((laid) => laid.spinner);
  if (end === undefined) {
    return [...tiles, { tile, branch: "line", position: 0, outward, crosswise, spinner }];
  }
  const open = openEnds(tiles).find((other) => other.end === end);
  if (open === undefined || (tile.high !== open.pip && tile.low !== open.pip)) {
    throw new RangeError(`${tile.high}-${tile.low} does not fit at ${end}`);
  }
  const position = (tipOf(tiles, end)?.position ?? 0) + (end === "L" ? -1 : 1);
  const laid = { tile, branch: branchOf(end), position, outward: tile.high + tile.low - open.pip, crosswise, spinner };
  return [...tiles, laid];
}
