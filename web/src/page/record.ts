/** The record of a match, `fives-record/1`, as a row of pictures: the table after each deal and each turn, and what happened in it. */

import { create } from "@bufbuild/protobuf";
import { joinTile, openEnds } from "../board/rows.js";
import { type BoardSeat, type BoardView, type End, type LaidTile, type Tile, isSame } from "../board/view.js";
import { type Event, EventSchema } from "../gen/fives/v1/event_pb.js";
import { EndedBy, RoundResult, StarterReason } from "../gen/fives/v1/types_pb.js";
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

/** A hand as players hold it: high to low. */
function sorted(hand: readonly Tile[]): Tile[] {
  return hand.toSorted((one, other) => other.high - one.high || other.low - one.low);
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

function roundFrames(round: RoundRecord, record: MatchRecord, names: readonly string[]): Frame[] {
  let hands = round.deal.map((hand) => sorted(hand.map(tileOf)));
  const tileCounts = hands.map((hand) => hand.length);
  const turns = round.events.length;
  let boneyardCount = round.boneyard.length;
  let tiles: LaidTile[] = [];
  let scores = round.scores_before;
  const table = (onTurn: number | undefined, total: number, last?: BoardView["last"]): BoardView => ({
    round: round.index,
    tiles,
    ends: openEnds(tiles),
    total,
    boneyardCount,
    seats: names.map(
      (name, seat): BoardSeat => ({
        seat,
        side: record.config.partners ? seat % 2 : seat,
        name,
        tileCount: hands[seat]?.length ?? 0,
        hand: hands[seat] ?? [],
        onTurn: seat === onTurn,
        own: false,
      }),
    ),
    scores,
    target: record.config.target,
    ...(last && { last }),
  });
  const starterReason = round.starter_reason === "out" ? StarterReason.OUT : StarterReason.RANDOM;
  const dealt = event("roundStarted", { round: round.index, starter: round.starter, starterReason, tileCounts, boneyardCount });
  const made: Frame[] = [{ moment: "dealt", turn: 0, turns, board: table(round.starter, 0), events: [dealt] }];
  /** Changes what a seat holds. */
  const hold = (seat: number, change: (hand: readonly Tile[]) => Tile[]): void => {
    hands = hands.map((hand, at) => (at === seat ? change(hand) : hand));
  };

  round.events.forEach((turn, at) => {
    const events: Event[] = [];
    const { seat, points } = turn;
    if (turn.drew.length > 0) {
      const drawn = turn.drew.map(tileOf);
      hold(seat, (hand) => sorted([...hand, ...drawn]));
      boneyardCount -= drawn.length;
      events.push(event("tilesDrawn", { seat, count: drawn.length, tiles: drawn }));
    }
    scores = turn.scores;
    const next = round.events[at + 1]?.seat;
    const counted = { moment: "turn", turn: at + 1, turns } as const;
    if (turn.play === null) {
      events.push(event("turnPassed", { seat }));
      made.push({ ...counted, board: table(next, made.at(-1)?.board.total ?? 0), events });
      return;
    }
    const tile = tileOf(turn.play);
    tiles = joinTile(tiles, tile, turn.end ?? undefined);
    hold(seat, (hand) => hand.filter((one) => !isSame(one, tile)));
    const total = turn.total ?? 0;
    events.push(event("tilePlayed", { seat, play: { tile, end: wireEnd(turn.end) }, total, points, scores: [...turn.scores] }));
    made.push({ ...counted, board: table(next, total, { seat, tile, points }), events });
  });

  scores = round.scores_after;
  hands = round.left.map((hand) => sorted(hand.map(tileOf)));
  const ended = event("roundEnded", {
    round: round.index,
    result: RESULTS[round.result],
    subtracted: [...(round.subtracted ?? [])],
    scores: [...round.scores_after],
    ...(round.out_seat !== null && { outSeat: round.out_seat }),
  });
  made.push({ moment: "roundOver", turn: turns, turns, board: table(undefined, made.at(-1)?.board.total ?? 0), events: [ended] });
  return made;
}
