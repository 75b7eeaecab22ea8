/**
 * The deal of Fives, `fives-deal/1`, written from its description alone and not from the service's code, so that the two check each
 * other:
 *
 *     commitment    = SHA-256(master)
 *     seed(n)       = HMAC-SHA256(key = master, "fives-deal/1" | u32(n) | for each seat: u8(length) | entropy)
 *     commitment(n) = SHA-256(seed(n))
 *     stream(n)     = HMAC-SHA256(key = seed(n), u64(0)) | HMAC-SHA256(key = seed(n), u64(1)) | …   read as u32, big-endian
 *     below(k)      = next u32 x, skipped while x >= 2^32 - (2^32 mod k); x mod k
 *     deck          = 0-0, 1-0, 1-1, 2-0 … 6-6; for i = 27 … 1: swap i and below(i + 1)
 *     deal          = seat s gets the s-th block; the rest is the boneyard, drawn from its front
 *     starter       = below(seats), from the same stream after the deck, where it is drawn by lot
 */

import { type Bytes, hmacSha256, joined, u32, u64 } from "./bytes.js";

const NAME = new TextEncoder().encode("fives-deal/1");
const U32 = 2 ** 32;

/** What is dealt in a round. Tiles are written high-low. */
export interface Deal {
  /** By seat, in the order dealt. */
  readonly hands: readonly (readonly string[])[];
  /** Drawn from its front. */
  readonly boneyard: readonly string[];
  /** The seat that leads, where that is drawn by lot. */
  readonly starter: number;
}

/** The seed of a round. */
export function roundSeed(master: Bytes, entropies: readonly Bytes[], round: number): Promise<Bytes> {
  const added = entropies.flatMap((entropy) => [Uint8Array.of(entropy.length), entropy]);
  return hmacSha256(master, joined([NAME, u32(round), ...added]));
}

/** The numbers that follow from a seed, one after the other. */
class Stream {
  #block = 0;
  #numbers: number[] = [];

  constructor(readonly seed: Bytes) {}

  async #next(): Promise<number> {
    if (this.#numbers.length === 0) {
      const bytes = new DataView((await hmacSha256(this.seed, u64(this.#block))).buffer);
      this.#block += 1;
      this.#numbers = Array.from({ length: bytes.byteLength / 4 }, (_, at) => bytes.getUint32(4 * at));
    }
    return this.#numbers.shift() as number;
  }

  /** A number below a bound, each equally likely. */
  async below(bound: number): Promise<number> {
    const limit = U32 - (U32 % bound);
    for (;;) {
      const number = await this.#next();
      if (number < limit) return number % bound;
    }
  }
}

/** The tiles in the order that the deck has before it is shuffled. */
function sortedDeck(): string[] {
  return Array.from({ length: 7 }, (_, high) => Array.from({ length: high + 1 }, (_, low) => `${high}-${low}`)).flat();
}

/** Deals a round from its seed. */
export async function dealRound(seed: Bytes, seats: number, handSize: number): Promise<Deal> {
  const stream = new Stream(seed);
  const deck = sortedDeck();
  for (let at = deck.length - 1; at >= 1; at -= 1) {
    const other = await stream.below(at + 1);
    [deck[at], deck[other]] = [deck[other] as string, deck[at] as string];
  }
  const hands = Array.from({ length: seats }, (_, seat) => deck.slice(seat * handSize, (seat + 1) * handSize));
  return { hands, boneyard: deck.slice(seats * handSize), starter: await stream.below(seats) };
}
