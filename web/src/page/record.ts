/** The record of a match, `fives-record/1`, as a row of pictures: the table after each deal and each turn, and what happened in it. */

import { create } from "@bufbuild/protobuf";
import type { BoardSeat, BoardView, End, Tile } from "../board/view.js";
import { type Event, EventSchema } from "../gen/fives/v1/event_pb.js";
import { EndedBy, RoundResult, StarterReason } from "../gen/fives/v1/types_pb.js";
import { after, sorted } from "./board_events.js";
import { wireEnd } from "./board_view.js";

/** What of a record is drawn; `tests/games/README.md` describes all of it. */
export interface MatchRecord {
  readonly config: { readonly players: number; readonly partners: boolean; readonly target: number };
  readonly hands: readonly RoundRecord[];
  readonly final: { readonly scores: readonly number[]; readonly winner_side: number | null; readonly ended_by?: "resignation" };
}

interface RoundRecord {
  readonly index: number;
  readonly starter: number;
  readonly starter_reason: "random" | "out";
  readonly deal: readonly (readonly string[])[];
  readonly boneyard: readonly string[];
  readonly scores_before: readonly number[];
  readonly events: readonly TurnRecord[];
  readonly result: "out" | "blocked" | "target" | "resigned";
  readonly out_seat: number | null;
  readonly left: readonly (readonly string[])[];
  readonly subtracted: readonly number[] | null;
  readonly scores_after: readonly number[];
}

interface TurnRecord {
  readonly seat: number;
  readonly drew: readonly string[];
  readonly play: string | null;
  readonly end: End | null;
  readonly total?: number;
  readonly points: number;
  readonly scores: readonly number[];
}

/** The table at one moment: a round has been dealt, a turn was made, a round is over, the match is over. */
export interface Frame {
  readonly moment: "dealt" | "turn" | "roundOver" | "over";
  /** Which turn of its round, from 1; of so many. */
  readonly turn: number;
  readonly turns: number;
  /** With all hands open. */
  readonly board: BoardView;
  /** What happened since the one before. */
  readonly events: readonly Event[];
}

const RESULTS = { out: RoundResult.OUT, blocked: RoundResult.BLOCKED, target: RoundResult.TARGET, resigned: RoundResult.RESIGNED } as const;

function tileOf(written: string): Tile {
  const [high = 0, low = 0] = written.split("-").map(Number);
  return { high, low };
}

function event(kind: Exclude<Event["kind"], { case: undefined }>["case"], value: object): Event {
  return create(EventSchema, { kind: { case: kind, value } } as never);
}

/** All frames of a match, whose seats are called `names`. */
export function frames(record: MatchRecord, names: readonly string[]): Frame[] {
  const rounds = record.hands.flatMap((round) => roundFrames(round, record, names));
  const last = rounds.at(-1);
  if (!last) return [];
  const { winner_side, ended_by } = record.final;
  const outcome = {
    endedBy: ended_by ? EndedBy.RESIGNATION : EndedBy.TARGET,
    ...(winner_side !== null && { winnerSide: winner_side }),
  };
  const board = { ...last.board, scores: record.final.scores };
  return [...rounds, { ...last, moment: "over", board, events: [event("matchEnded", { outcome })] }];
}

/** What can be seen without looking into the hands that are still played. */
export function withBacks({ moment, board }: Frame): BoardView {
  if (moment === "roundOver" || moment === "over") return board;
  return { ...board, seats: board.seats.map(({ hand: _, ...seat }) => seat) };
}

/** The table before its first tile, all hands open. */
function dealtTable(round: RoundRecord, { config }: MatchRecord, names: readonly string[]): BoardView {
  const seats = names.map((name, seat): BoardSeat => {
    const hand = sorted((round.deal[seat] ?? []).map(tileOf));
    return { seat, side: config.partners ? seat % 2 : seat, name, tileCount: hand.length, hand, onTurn: seat === round.starter, own: false };
  });
  return { round: round.index, tiles: [], ends: [], total: 0, boneyardCount: round.boneyard.length, seats, scores: round.scores_before, target: config.target };
}

function turnEvents({ seat, drew, play, end, total = 0, points, scores }: TurnRecord): Event[] {
  const drawn = drew.length > 0 ? [event("tilesDrawn", { seat, count: drew.length, tiles: drew.map(tileOf) })] : [];
  const made =
    play === null
      ? event("turnPassed", { seat })
      : event("tilePlayed", { seat, play: { tile: tileOf(play), end: wireEnd(end) }, total, points, scores: [...scores] });
  return [...drawn, made];
}

function roundFrames(round: RoundRecord, record: MatchRecord, names: readonly string[]): Frame[] {
  const { index, starter, result, out_seat } = round;
  const turns = round.events.length;
  const dealt = dealtTable(round, record, names);
  const started = event("roundStarted", {
    round: index,
    starter,
    starterReason: round.starter_reason === "out" ? StarterReason.OUT : StarterReason.RANDOM,
    tileCounts: dealt.seats.map(({ tileCount }) => tileCount),
    boneyardCount: dealt.boneyardCount,
  });
  const made: Frame[] = [{ moment: "dealt", turn: 0, turns, board: dealt, events: [started] }];
  let board = dealt;
  for (const [at, turn] of round.events.entries()) {
    const events = turnEvents(turn);
    const onTurn = round.events[at + 1]?.seat;
    board = events.reduce(after, board);
    board = { ...board, seats: board.seats.map((seat) => ({ ...seat, onTurn: seat.seat === onTurn })) };
    made.push({ moment: "turn", turn: at + 1, turns, board, events });
  }
  const ended = event("roundEnded", {
    round: index,
    result: RESULTS[result],
    handsLeft: round.left.map((hand) => ({ tiles: sorted(hand.map(tileOf)) })),
    subtracted: [...(round.subtracted ?? [])],
    scores: [...round.scores_after],
    ...(out_seat !== null && { outSeat: out_seat }),
  });
  return [...made, { moment: "roundOver", turn: turns, turns, board: after(board, ended), events: [ended] }];
}
