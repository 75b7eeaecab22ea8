/** What of a record (`fives-record/1`, from GetReplay) the check of its deals needs. A record is read as what it is: somebody's text. */

import { type Bytes, fromHex } from "./bytes.js";

const HAND_RULES: Readonly<Record<string, readonly number[]>> = {
  "9-7-5": [9, 7, 5],
  "5-5-5": [5, 5, 5],
  "7-5-5": [7, 5, 5],
};
const ENTROPY_MAX = 32;

export interface RecordedTurn {
  readonly seat: number;
  readonly drew: readonly string[];
  /** Null for a pass. */
  readonly play: string | null;
}

export interface RecordedRound {
  readonly starter: number;
  readonly starterReason: string;
  readonly deal: readonly (readonly string[])[];
  readonly boneyard: readonly string[];
  readonly turns: readonly RecordedTurn[];
  readonly outSeat: number | null;
  /** What the record says about its seed. */
  readonly commitment: string;
  readonly seed: string;
}

export interface MatchRecord {
  readonly seats: number;
  readonly handSize: number;
  readonly master: Bytes;
  readonly commitment: string;
  readonly entropies: readonly Bytes[];
  readonly rounds: readonly RecordedRound[];
}

/** The record has no part `fair`. */
export const NO_PROOF = "no proof";

class Unreadable extends Error {}

function readable<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Unreadable();
  return value;
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  return readable(typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined);
}

function list(value: unknown): readonly unknown[] {
  return readable(Array.isArray(value) ? value : undefined);
}

function text(value: unknown): string {
  return readable(typeof value === "string" ? value : undefined);
}

function count(value: unknown): number {
  return readable(typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined);
}

function orNull<Value>(value: unknown, read: (value: unknown) => Value): Value | null {
  return value === null ? null : read(value);
}

function turn(value: unknown): RecordedTurn {
  const { seat, drew, play } = object(value);
  return { seat: count(seat), drew: list(drew).map(text), play: orNull(play, text) };
}

function round(value: unknown, proof: unknown): RecordedRound {
  const { starter, starter_reason, deal, boneyard, events, out_seat } = object(value);
  const { commitment, seed } = object(proof);
  return {
    starter: count(starter),
    starterReason: text(starter_reason),
    deal: list(deal).map((hand) => list(hand).map(text)),
    boneyard: list(boneyard).map(text),
    turns: list(events).map(turn),
    outSeat: orNull(out_seat, count),
    commitment: text(commitment).toLowerCase(),
    seed: text(seed).toLowerCase(),
  };
}

function bytes(value: unknown): Bytes {
  return readable(fromHex(text(value)));
}

function read(value: unknown): MatchRecord | typeof NO_PROOF {
  const { config, hands, fair } = object(value);
  const { players, hand_rule } = object(config);
  if (fair === undefined || fair === null) return NO_PROOF;
  const { algorithm, master, commitment, entropies, rounds } = object(fair);
  const proofs = list(rounds);
  const seats = count(players);
  const record = {
    seats,
    handSize: readable(HAND_RULES[text(hand_rule)]?.[seats - 2]),
    master: bytes(master),
    commitment: text(commitment).toLowerCase(),
    entropies: list(entropies).map(bytes),
    rounds: list(hands).map((hand, at) => round(hand, proofs[at])),
  };
  const fits =
    algorithm === "fives-deal/1" &&
    record.master.length === 32 &&
    record.entropies.length === seats &&
    record.entropies.every((entropy) => entropy.length <= ENTROPY_MAX) &&
    record.rounds.length > 0 &&
    record.rounds.length === proofs.length;
  return readable(fits ? record : undefined);
}

/** A record from its JSON text; undefined if it is none. */
export function readRecord(json: string): MatchRecord | typeof NO_PROOF | undefined {
  try {
    return read(JSON.parse(json));
  } catch (error) {
    if (error instanceof Unreadable || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
