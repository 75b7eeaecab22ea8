/**
 * The end of a round, as it lay on the table: the next round is dealt in the same moment, so the view that tells of the end no longer
 * shows it. What happened since the view before is played on from there.
 */

import { joinTile, openEnds } from "../board/rows.js";
import type { BoardSeat, BoardView } from "../board/view.js";
import type { Batch, Event, RoundEnded } from "../gen/fives/v1/event_pb.js";
import { letterOf } from "../words/end.js";
import { tileOf } from "./board_view.js";

export interface RoundEnd {
  /** The last tile lies, and the hands lie open with what was left in them. */
  readonly board: BoardView;
  readonly event: Event;
}

/** The last end of a round that `batches` tell of, if the table before them was shown. */
export function roundEnd(before: BoardView | undefined, batches: readonly Batch[]): RoundEnd | undefined {
  const events = batches.flatMap((batch) => batch.events);
  const at = events.findLastIndex(({ kind }) => kind.case === "roundEnded");
  const event = events[at];
  if (!before || !event) return undefined;
  return { board: events.slice(0, at + 1).reduce(after, before), event };
}

function withSeat(board: BoardView, seat: number, change: (seat: BoardSeat) => Partial<BoardSeat>): readonly BoardSeat[] {
  return board.seats.map((one) => (one.seat === seat ? { ...one, ...change(one) } : one));
}

/** The table after an event. */
function after(board: BoardView, { kind }: Event): BoardView {
  switch (kind.case) {
    case "roundStarted": {
      const { round, tileCounts, boneyardCount } = kind.value;
      const seats = board.seats.map((seat) => ({ ...seat, tileCount: tileCounts[seat.seat] ?? 0 }));
      const { last: _, ...rest } = board;
      return { ...rest, round, tiles: [], ends: [], total: 0, boneyardCount, seats };
    }
    case "tilesDrawn": {
      const { seat, count } = kind.value;
      const seats = withSeat(board, seat, ({ tileCount }) => ({ tileCount: tileCount + count }));
      return { ...board, boneyardCount: board.boneyardCount - count, seats };
    }
    case "tilePlayed": {
      const { seat, play, total, points, scores } = kind.value;
      const tile = tileOf(play?.tile);
      const tiles = joinTile(board.tiles, tile, letterOf(play?.end));
      const seats = withSeat(board, seat, ({ tileCount }) => ({ tileCount: tileCount - 1 }));
      return { ...board, tiles, ends: openEnds(tiles), total, scores, seats, last: { seat, tile, points } };
    }
    case "roundEnded":
      return ended(board, kind.value);
    default:
      return board;
  }
}

function ended(board: BoardView, { handsLeft, scores }: RoundEnded): BoardView {
  const seats = board.seats.map((seat) => {
    const hand = (handsLeft[seat.seat]?.tiles ?? []).map(tileOf);
    return { ...seat, hand, tileCount: hand.length, onTurn: false };
  });
  return { ...board, seats, scores };
}
