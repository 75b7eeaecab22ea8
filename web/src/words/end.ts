/** The ends of the layout: the letters of the rules, and the keys of what they are called. */

import type { End } from "../board/view.js";
import { End as WireEnd } from "../gen/fives/v1/types_pb.js";

const LETTERS: Readonly<Record<WireEnd, End | undefined>> = {
  [WireEnd.UNSPECIFIED]: undefined,
  [WireEnd.LEFT]: "L",
  [WireEnd.RIGHT]: "R",
  [WireEnd.NORTH]: "N",
  [WireEnd.SOUTH]: "S",
};

export const END_KEYS = { L: "endL", R: "endR", N: "endN", S: "endS" } as const satisfies Readonly<Record<End, string>>;

/** The letter of an end; a lead has none. */
export function letterOf(end: WireEnd | undefined): End | undefined {
  return end === undefined ? undefined : LETTERS[end];
}
