/** What seats and sides are called. Names of people stay as they typed them. */

import { BotKind } from "../gen/fives/v1/types_pb.js";
import type { MatchView, SeatView } from "../gen/fives/v1/view_pb.js";
import type { Cast } from "../words/event.js";
import { isolated } from "../words/name.js";
import { text } from "./language.js";

/** Who sits there, whatever has happened since. */
function sitterName(seat: SeatView): string {
  if (seat.displayName) return isolated(seat.displayName);
  if (seat.botKind === BotKind.UNSPECIFIED) return text("openSeat");
  return text("botName", { seat: seat.seat + 1 });
}

/** The same, and whether a person's seat is played by somebody else or nobody. */
export function seatName(seat: SeatView): string {
  const name = sitterName(seat);
  if (!seat.displayName) return name;
  if (seat.resigned) return text("seatResigned", { name });
  return seat.keptByBot ? text("seatOfBot", { name }) : name;
}

export function seatNames(seats: readonly SeatView[]): string[] {
  return seats.map(seatName);
}

/** Who sat where, whatever has happened since. */
export function sitterNames(seats: readonly SeatView[]): string[] {
  return seats.map(sitterName);
}

/** A side is a seat, or two with partners. */
export function sideName(names: readonly string[], sides: number, side: number): string {
  const one = names[side] ?? "";
  return sides === names.length ? one : text("teamOf", { one, other: names[side + sides] ?? "" });
}

/** What a match is played to. */
export function targetText({ options }: Pick<MatchView, "options">): string {
  return text("tableTarget", { target: options?.targetPoints ?? 0 });
}

/** Whose turn it is to be told of: `undefined` if nobody's. */
export function onTurn(view: MatchView): SeatView | undefined {
  const seat = view.round?.seatOnTurn;
  return seat === undefined ? undefined : view.seats[seat];
}

/** What events call those who play a match: what they tell may be just that somebody has given up. */
export function castOf(seats: readonly SeatView[], sides: number): Cast {
  return castNamed(sitterNames(seats), sides);
}

/** The same, of those who are called so. */
export function castNamed(names: readonly string[], sides: number): Cast {
  return { seat: (seat) => names[seat] ?? "", side: (side) => sideName(names, sides, side) };
}
