/** What events make of a table that is drawn: one after the other, as far as it is known what happened. */

import { joinTile, openEnds } from "../board/rows.js";
import { type BoardSeat, type BoardView, type Tile, isSame } from "../board/view.js";
import type { Event } from "../gen/fives/v1/event_pb.js";
import { letterOf } from "../words/end.js";
import { tileOf } from "./board_view.js";

/** A hand as players hold it: high to low. */
export function sorted(hand: readonly Tile[]): Tile[] {
  return hand.toSorted((one, other) => other.high - one.high || other.low - one.low);
}

function withSeat(board: BoardView, seat: number, change: (seat: BoardSeat) => Partial<BoardSeat>): readonly BoardSeat[] {
  return board.seats.map((one) => (one.seat === seat ? { ...one, ...change(one) } : one));
}

/** The table after an event. Open hands stay open; who is on turn does not follow from one event, only that nobody is once a round is over. */
export function after(board: BoardView, { kind }: Event): BoardView {
  switch (kind.case) {
    case "roundStarted": {
      const { round, tileCounts, boneyardCount } = kind.value;
      const seats = board.seats.map((seat) => ({ ...seat, tileCount: tileCounts[seat.seat] ?? 0 }));
      const { last: _, ...rest } = board;
      return { ...rest, round, tiles: [], ends: [], total: 0, boneyardCount, seats };
    }
    case "tilesDrawn": {
      const { seat, count, tiles } = kind.value;
      const seats = withSeat(board, seat, ({ tileCount, hand }) => ({
        tileCount: tileCount + count,
        ...(hand && { hand: sorted([...hand, ...tiles.map(tileOf)]) }),
      }));
      return { ...board, boneyardCount: board.boneyardCount - count, seats };
    }
    case "tilePlayed": {
      const { seat, play, total, points, scores } = kind.value;
      const tile = tileOf(play?.tile);
      const tiles = joinTile(board.tiles, tile, letterOf(play?.end));
      const seats = withSeat(board, seat, ({ tileCount, hand }) => ({
        tileCount: tileCount - 1,
        ...(hand && { hand: hand.filter((one) => !isSame(one, tile)) }),
      }));
      return { ...board, tiles, ends: openEnds(tiles), total, scores, seats, last: { seat, tile, points } };
    }
    case "roundEnded": {
      const { handsLeft, scores } = kind.value;
      const seats = board.seats.map((seat) => {
        const hand = (handsLeft[seat.seat]?.tiles ?? []).map(tileOf);
        return { ...seat, hand, tileCount: hand.length, onTurn: false };
      });
      return { ...board, seats, scores };
    }
    default:
      return board;
  }
}
