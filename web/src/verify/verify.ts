/**
 * Whether the deals of a record follow from its seeds, its seeds from its master, and its master from the commitment that was shown
 * before anybody added entropy. It asks the service nothing and shares no code with it.
 */

import { type Bytes, fromHex, sha256, toHex } from "./bytes.js";
import { dealRound, roundSeed } from "./deal.js";
import { type MatchRecord, NO_PROOF, type RecordedRound, readRecord } from "./record.js";

/** What is checked; each is the key of its text. */
export type StepKey =
  | "verifyMaster"
  | "verifyShown"
  | "verifySeed"
  | "verifyCommitment"
  | "verifyDeal"
  | "verifyStarter"
  | "verifyOut"
  | "verifyPlays";

/** One thing that was checked. */
export interface Step {
  readonly key: StepKey;
  /** The round, from 1; absent for what concerns the whole match. */
  readonly round?: number;
  readonly passed: boolean;
}

/** `proved`: every step passed. `refuted`: one did not. `unproved`: the record has no seeds. `unreadable`: it is no record. */
export type Verdict = "proved" | "refuted" | "unproved" | "unreadable";

export interface Verification {
  readonly verdict: Verdict;
  readonly steps: readonly Step[];
}

/** What a page was shown while the match was played: without it, a record only proves that it agrees with itself. */
export interface Shown {
  /** Of the match. */
  readonly commitment?: Uint8Array;
  /** Of the rounds that the page saw, by round from 0. */
  readonly rounds?: ReadonlyMap<number, Uint8Array>;
  /** What each seat added, by seat. */
  readonly entropies?: readonly Uint8Array[];
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

/** Whether the record tells what the page was shown; undefined if the page was shown nothing. */
function agreesWith(record: MatchRecord, shown: Shown): boolean | undefined {
  const { commitment, rounds, entropies } = shown;
  const pairs = [
    ...(commitment ? [[toHex(commitment), record.commitment]] : []),
    ...[...(rounds ?? [])].map(([round, seen]) => [toHex(seen), record.rounds[round]?.commitment]),
    ...(entropies ? [[entropies.map(toHex).join(), record.entropies.map(toHex).join()]] : []),
  ];
  return pairs.length === 0 ? undefined : pairs.every(([seen, told]) => seen === told);
}

/** Whether only what was dealt was played, and what was drawn came from the front of the boneyard. */
function playsWhatWasDealt(round: RecordedRound): boolean {
  const hands = round.deal.map((hand) => new Set(hand));
  let drawn = 0;
  return round.turns.every(({ seat, drew, play }) => {
    const hand = hands[seat];
    if (!hand || !isSame(drew, round.boneyard.slice(drawn, drawn + drew.length))) return false;
    drawn += drew.length;
    for (const tile of drew) hand.add(tile);
    return play === null || hand.delete(play);
  });
}

/** Whether the starter is the seat that the round before calls for; one that is drawn by lot is told by the seed. */
function starterStep(record: MatchRecord, at: number, byLot: number): { key: StepKey; passed: boolean } {
  const round = record.rounds[at] as RecordedRound;
  const out = record.rounds[at - 1]?.outSeat ?? null;
  if (out === null) return { key: "verifyStarter", passed: round.starterReason === "random" && round.starter === byLot };
  return { key: "verifyOut", passed: round.starterReason === "out" && round.starter === out };
}

async function roundSteps(record: MatchRecord, at: number): Promise<Step[]> {
  const round = record.rounds[at] as RecordedRound;
  const seed: Bytes = await roundSeed(record.master, record.entropies, at);
  const shown = fromHex(round.seed);
  const deal = await dealRound(seed, record.seats, record.handSize);
  const isDealt =
    round.deal.length === deal.hands.length &&
    deal.hands.every((hand, seat) => isSame(hand, round.deal[seat] ?? [])) &&
    isSame(deal.boneyard, round.boneyard);
  const steps = [
    { key: "verifySeed", passed: round.seed === toHex(seed) },
    { key: "verifyCommitment", passed: shown !== undefined && round.commitment === toHex(await sha256(shown)) },
    { key: "verifyDeal", passed: isDealt },
    starterStep(record, at, deal.starter),
    { key: "verifyPlays", passed: playsWhatWasDealt(round) },
  ] as const;
  return steps.map((step) => ({ ...step, round: at + 1 }));
}

/** Checks the deals of a record, as GetReplay gives it. */
export async function verifyRecord(json: string, shown: Shown = {}): Promise<Verification> {
  const record = readRecord(json);
  if (record === undefined) return { verdict: "unreadable", steps: [] };
  if (record === NO_PROOF) return { verdict: "unproved", steps: [] };
  const steps: Step[] = [{ key: "verifyMaster", passed: record.commitment === toHex(await sha256(record.master)) }];
  const agrees = agreesWith(record, shown);
  if (agrees !== undefined) steps.push({ key: "verifyShown", passed: agrees });
  for (const at of record.rounds.keys()) steps.push(...(await roundSteps(record, at)));
  return { verdict: steps.every(({ passed }) => passed) ? "proved" : "refuted", steps };
}
