/** What the board draws, out of what the service sends. */

import type { Choice } from "../board/choices.js";
import { type BoardEnd, type BoardSeat, type BoardView, type Branch, type End, type LaidTile, type LastPlay, type Tile } from "../board/view.js";
import type { OpenHands } from "../gen/fives/v1/cast_service_pb.js";
import type { Batch } from "../gen/fives/v1/event_pb.js";
import { type ScoredPlay, End as WireEnd, type Tile as WireTile } from "../gen/fives/v1/types_pb.js";
import { Branch as WireBranch, type MatchView, type OpenEnd, type PlacedTile } from "../gen/fives/v1/view_pb.js";
import { letterOf } from "../words/end.js";
import { seatName } from "./names.js";

const BRANCH_NAMES: Readonly<Record<WireBranch, Branch>> = {
  [WireBranch.UNSPECIFIED]: "line",
  [WireBranch.LINE]: "line",
  [WireBranch.NORTH]: "north",
  [WireBranch.SOUTH]: "south",
};

const WIRE_ENDS: Readonly<Record<End, WireEnd>> = { L: WireEnd.LEFT, R: WireEnd.RIGHT, N: WireEnd.NORTH, S: WireEnd.SOUTH };

/** An end as the service names it; a lead has none. */
export function wireEnd(end: End | null | undefined): WireEnd {
  return end ? WIRE_ENDS[end] : WireEnd.UNSPECIFIED;
}

/** A legal play as the board knows it. */
export function choiceOf({ play, points }: ScoredPlay): Choice {
  const end = letterOf(play?.end);
  return { tile: tileOf(play?.tile), points, ...(end && { end }) };
}

export function tileOf(tile: WireTile | undefined): Tile {
  return { high: tile?.high ?? 0, low: tile?.low ?? 0 };
}

function laidTile(placed: PlacedTile): LaidTile {
  return {
    tile: tileOf(placed.tile),
    branch: BRANCH_NAMES[placed.branch],
    position: placed.position,
    outward: placed.outwardPip,
    crosswise: placed.crosswise,
    spinner: placed.spinner,
  };
}

function boardEnd(open: OpenEnd): BoardEnd[] {
  const end = letterOf(open.end);
  return end ? [{ end, pip: open.pip, ...(open.counted !== undefined && { counted: open.counted }) }] : [];
}

/** The last play that batches tell of, if no round was dealt after it. */
export function lastPlay(batches: readonly Batch[], before: LastPlay | undefined): LastPlay | undefined {
  return batches
    .flatMap(({ events }) => events)
    .reduce<LastPlay | undefined>((last, { kind }) => {
      if (kind.case === "roundStarted") return undefined;
      if (kind.case !== "tilePlayed") return last;
      const { seat, play, points } = kind.value;
      return { seat, tile: tileOf(play?.tile), points };
    }, before);
}

function handOf(open: OpenHands | undefined, seat: number): Pick<BoardSeat, "hand"> {
  const hand = open?.hands[seat];
  return hand ? { hand: hand.tiles.map(tileOf) } : {};
}

/** What is drawn of a view; `open` are the hands, seat by seat, for whoever may see them. */
export function boardView(view: MatchView, last: LastPlay | undefined, open: OpenHands | undefined): BoardView {
  const { round } = view;
  return {
    round: round?.round ?? 0,
    tiles: (round?.layout ?? []).map(laidTile),
    ends: (round?.openEnds ?? []).flatMap(boardEnd),
    total: round?.total ?? 0,
    boneyardCount: round?.boneyardCount ?? 0,
    seats: view.seats.map((seat) => ({
      seat: seat.seat,
      side: seat.side,
      name: seatName(seat),
      tileCount: seat.tileCount,
      onTurn: round?.seatOnTurn === seat.seat,
      own: view.viewerSeat === seat.seat,
      ...handOf(open, seat.seat),
    })),
    scores: view.scores,
    target: view.options?.targetPoints ?? 0,
    ...(last && { last }),
  };
}
