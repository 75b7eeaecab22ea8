import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { type Bytes, fromHex, hmacSha256, joined, sha256, toHex, u32, u64 } from "../../src/verify/bytes.js";
import { dealRound, roundSeed } from "../../src/verify/deal.js";

const WEB = process.env.FIVES_WEB ?? ".";

interface Vector {
  readonly master: string;
  readonly entropies: readonly string[];
  readonly round: number;
  readonly hand_size: number;
  readonly random_starter: boolean;
  readonly commitment: string;
  readonly seed: string;
  readonly round_commitment: string;
  readonly hands: readonly (readonly string[])[];
  readonly boneyard: readonly string[];
  readonly starter: number | null;
}

function bytes(hex: string): Bytes {
  const read = fromHex(hex);
  assert.ok(read);
  return read;
}

test("the vector of the design is dealt", async () => {
  const master = Uint8Array.from({ length: 32 }, (_, at) => at);
  const anna = new TextEncoder().encode("anna");
  const seed = await roundSeed(master, [anna, new Uint8Array(), new Uint8Array(32).fill(0xff)], 2);
  assert.equal(toHex(await sha256(master)), "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
  assert.equal(toHex(seed), "3ac2664f5e12c6700605721c4fa4f80a43a6a0bdc14157ec8dc983af3088034a");
  assert.equal(toHex(await sha256(seed)), "563f0839f295f871285819627583cda062d71b53f0f119a1797a5782d06435df");
  const { hands, boneyard, starter } = await dealRound(seed, 3, 7);
  assert.deepEqual(hands.map((hand) => hand.join(" ")), ["6-5 6-4 6-0 4-0 2-0 5-3 0-0", "2-2 5-0 3-1 3-3 3-2 6-6 5-2", "5-5 4-4 2-1 5-4 4-2 5-1 6-3"]);
  assert.equal(boneyard.join(" "), "4-3 6-2 4-1 3-0 1-1 1-0 6-1");
  assert.equal(starter, 2);
});

test("every vector that the service's own tests deal is dealt here, too", async () => {
  const vectors: Vector[] = JSON.parse(readFileSync(join(WEB, "../tests/deal/vectors.json"), "utf8"));
  assert.ok(vectors.length >= 5);
  for (const vector of vectors) {
    const seed = await roundSeed(bytes(vector.master), vector.entropies.map(bytes), vector.round);
    assert.equal(toHex(await sha256(bytes(vector.master))), vector.commitment);
    assert.equal(toHex(seed), vector.seed);
    assert.equal(toHex(await sha256(seed)), vector.round_commitment);
    const deal = await dealRound(seed, vector.entropies.length, vector.hand_size);
    assert.deepEqual(deal.hands, vector.hands);
    assert.deepEqual(deal.boneyard, vector.boneyard);
    if (vector.random_starter) assert.equal(deal.starter, vector.starter);
  }
});

test("HMAC is that of RFC 4231, and numbers are big-endian", async () => {
  const key = new Uint8Array(20).fill(0x0b);
  const mac = await hmacSha256(key, new TextEncoder().encode("Hi There"));
  assert.equal(toHex(mac), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  assert.equal(toHex(joined([u32(0x01020304), u64(5)])), "010203040000000000000005");
});

test("hex that is none is refused", () => {
  assert.equal(fromHex("0"), undefined);
  assert.equal(fromHex("0g"), undefined);
  assert.equal(fromHex("0x"), undefined);
  assert.deepEqual(fromHex("0aFF"), Uint8Array.of(10, 255));
});
