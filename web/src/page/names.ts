/** What seats and sides are called. Names of people stay as they typed them. */

import { BotKind } from "../gen/fives/v1/types_pb.js";
import type { MatchView, SeatView } from "../gen/fives/v1/view_pb.js";
import type { Cast } from "../words/event.js";
import { isolated } from "../words/name.js";
import { text } from "./language.js";

export function seatName(seat: SeatView): string {
  if (seat.displayName) {
    const name = isolated(seat.displayName);
    if (seat.resigned) return text("seatResigned", { name });
    return seat.keptByBot ? text("seatOfBot", { name }) : name;
  }
  if (seat.botKind === BotKind.UNSPECIFIED) return text("openSeat");
  return text("botName", { seat: seat.seat + 1 });
}

export function seatNames(seats: readonly SeatView[]): string[] {
  return seats.map(seatName);
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

/** What events call those who play a match. */
export function castOf(seats: readonly SeatView[], sides: number): Cast {
  const names = seatNames(seats);
  return { seat: (seat) => names[seat] ?? "", side: (side) => sideName(names, sides, side) };
}
