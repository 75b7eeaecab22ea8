/**
 * What this browser was shown while a match was played: the commitments, and what each seat added to the deals. Kept here, because a
 * record that is fetched afterwards could have been made to agree with itself.
 */

import type { MatchView } from "../gen/fives/v1/view_pb.js";
import { fromHex, toHex } from "../verify/bytes.js";
import type { Shown } from "../verify/verify.js";
import { parsed, storage } from "./storage.js";

const PREFIX = "fives.seen.";

/** So many matches are remembered. */
const MOST = 50;

/** Bytes as hex; rounds by number. */
interface Seen {
  readonly at: number;
  readonly commitment: string;
  readonly rounds: Readonly<Record<string, string>>;
  readonly entropies?: readonly string[];
}

/** What is no hex any more, because somebody has broken it, is nothing. */
function bytesOf(kept: string): Uint8Array {
  return fromHex(kept) ?? new Uint8Array();
}

function read(matchId: string): Seen | undefined {
  return parsed<Seen>(storage.getItem(PREFIX + matchId));
}

/** Remembers what a picture shows. What was shown first stays, whatever is shown later. */
export function remember(view: MatchView): void {
  const before = read(view.matchId);
  const { round } = view;
  const key = String(round?.round);
  if (before && (!round || key in before.rounds)) return;
  if (!before) forgetOld();
  const seen: Seen = {
    at: before?.at ?? Date.now(),
    commitment: before?.commitment ?? toHex(view.commitment),
    rounds: { ...before?.rounds, ...(round && { [key]: toHex(round.commitment) }) },
    // Until the start seats are taken and left.
    ...(round && { entropies: before?.entropies ?? view.seats.map(({ entropy }) => toHex(entropy)) }),
  };
  storage.setItem(PREFIX + view.matchId, JSON.stringify(seen));
}

function forgetOld(): void {
  const known = storage
    .names()
    .filter((name) => name.startsWith(PREFIX))
    .sort((one, other) => (read(one.slice(PREFIX.length))?.at ?? 0) - (read(other.slice(PREFIX.length))?.at ?? 0));
  for (const name of known.slice(0, Math.max(0, known.length - MOST + 1))) storage.removeItem(name);
}

/** What was shown of a match, for the check of its deals. */
export function shown(matchId: string): Shown {
  const seen = read(matchId);
  if (!seen) return {};
  return {
    commitment: bytesOf(seen.commitment),
    rounds: new Map(Object.entries(seen.rounds).map(([round, commitment]) => [Number(round), bytesOf(commitment)])),
    ...(seen.entropies && { entropies: seen.entropies.map(bytesOf) }),
  };
}
