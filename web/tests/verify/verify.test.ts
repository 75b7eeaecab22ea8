import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { fromHex } from "../../src/verify/bytes.js";
import { type Shown, type Step, verifyRecord } from "../../src/verify/verify.js";

const RECORDS = join(process.env.FIVES_WEB ?? ".", "tests/verify/records");

// A record as JSON: the forgeries below change whatever they like in it.
type Json = any;

/** Records that `fives simulate --record` wrote: two to four players, partners, several options, a blocked round. */
const LINES = readdirSync(RECORDS).flatMap((file) =>
  readFileSync(join(RECORDS, file), "utf8")
    .trim()
    .split("\n")
    .map((line, at) => ({ name: `${file}:${at + 1}`, line })),
);

function record(name: string): Json {
  const found = LINES.find((other) => other.name === name);
  assert.ok(found);
  return JSON.parse(found.line);
}

function failed(steps: readonly Step[]): string[] {
  return steps.filter(({ passed }) => !passed).map(({ key, round }) => (round === undefined ? key : `${key} ${round}`));
}

test("true records are proved, step by step", async () => {
  assert.ok(LINES.length >= 8);
  for (const { name, line } of LINES) {
    const { verdict, steps } = await verifyRecord(line);
    assert.equal(verdict, "proved", `${name}: ${failed(steps).join()}`);
    assert.equal(steps.length, 1 + 5 * JSON.parse(line).hands.length, name);
  }
});

test("a round after a blocked one is led by lot, a round after an out by that seat", async () => {
  const { steps } = await verifyRecord(JSON.stringify(record("blocked.jsonl:1")));
  const leads = steps.filter(({ key }) => key === "verifyStarter" || key === "verifyOut").map(({ key }) => key);
  const hands: Json[] = record("blocked.jsonl:1").hands;
  assert.ok(hands.slice(0, -1).some((hand) => hand.result === "blocked"));
  assert.deepEqual(leads, hands.map((_, at) => (at > 0 && hands[at - 1].result === "out" ? "verifyOut" : "verifyStarter")));
});

/** What a cheat might change in a record, and the steps that must tell. */
const FORGERIES: readonly [string, (record: Json) => void, string[]][] = [
  ["two tiles of different hands swapped", (it) => {
    const [one, other] = it.hands[1].deal;
    [one[0], other[0]] = [other[0], one[0]];
  }, ["verifyDeal 2"]],
  ["the boneyard put in another order", (it) => it.hands[0].boneyard.reverse(), ["verifyDeal 1"]],
  ["another starter", (it) => (it.hands[0].starter = (it.hands[0].starter + 1) % 3), ["verifyStarter 1"]],
  ["a first round that nobody drew lots for", (it) => (it.hands[0].starter_reason = "out"), ["verifyStarter 1"]],
  ["another seat leads after an out", (it) => (it.hands[1].starter = (it.hands[1].starter + 1) % 3), ["verifyOut 2"]],
  ["an out that is passed over", (it) => (it.hands[1].starter_reason = "random"), ["verifyOut 2"]],
  ["another commitment of the match", (it) => (it.fair.commitment = it.fair.rounds[0].commitment), ["verifyMaster"]],
  ["another commitment of a round", (it) => (it.fair.rounds[1].commitment = it.fair.rounds[0].commitment), ["verifyCommitment 2"]],
  ["the seed of another round", (it) => (it.fair.rounds[1].seed = it.fair.rounds[0].seed), ["verifySeed 2", "verifyCommitment 2"]],
  ["the proofs of two rounds swapped", (it) => it.fair.rounds.reverse(), ["verifySeed 1", "verifySeed 3"]],
  ["a seed that is no hex", (it) => (it.fair.rounds[0].seed = "zz"), ["verifySeed 1", "verifyCommitment 1"]],
  ["a tile played that was not held", (it) => {
    const turn = it.hands[0].events.findLast((other: Json) => other.play !== null);
    turn.play = it.hands[0].events[0].play;
  }, ["verifyPlays 1"]],
  ["a tile drawn that was not next", (it) => {
    const hand = it.hands.find((other: Json) => other.events.some(({ drew }: Json) => drew.length > 0));
    hand.events.find(({ drew }: Json) => drew.length > 0).drew[0] = hand.boneyard.at(-1);
  }, ["verifyPlays"]],
];

for (const [name, forge, wanted] of FORGERIES) {
  test(`refused: ${name}`, async () => {
    const forged = record("3-players.jsonl:2");
    forge(forged);
    const { verdict, steps } = await verifyRecord(JSON.stringify(forged));
    assert.equal(verdict, "refuted");
    const told = failed(steps);
    for (const step of wanted) assert.ok(told.some((other) => other.startsWith(step)), `${step} in ${told.join()}`);
  });
}

test("refused: proofs made anew from another master", async () => {
  // Consistent in itself: master, commitments and seeds fit each other, only the deals are those of the true master.
  const forged = record("3-players.jsonl:2");
  const sha = (data: Buffer): Buffer => createHash("sha256").update(data).digest();
  const master = Buffer.alloc(32, 7);
  forged.fair.master = master.toString("hex");
  forged.fair.commitment = sha(master).toString("hex");
  forged.fair.rounds = forged.hands.map((_: Json, round: number) => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(round);
    const seed = createHmac("sha256", master).update(Buffer.concat([Buffer.from("fives-deal/1"), number, Buffer.alloc(3)])).digest();
    return { seed: seed.toString("hex"), commitment: sha(seed).toString("hex") };
  });
  const { steps } = await verifyRecord(JSON.stringify(forged));
  const told = failed(steps);
  assert.ok(told.includes("verifyDeal 1") && told.includes("verifyDeal 2") && told.includes("verifyDeal 3"), told.join());
  assert.ok(!told.some((step) => /verifyMaster|verifySeed|verifyCommitment/.test(step)), told.join());
});

test("what the page was shown while the match was played counts", async () => {
  const line = JSON.stringify(record("3-players.jsonl:2"));
  const { fair } = record("3-players.jsonl:2");
  const bytes = (hex: string): Uint8Array => fromHex(hex) as Uint8Array;
  const told = async (shown: Shown): Promise<[string, string[]]> => {
    const { verdict, steps } = await verifyRecord(line, shown);
    return [verdict, steps.filter(({ key }) => key === "verifyShown").map(({ passed }) => String(passed))];
  };
  const none = new Uint8Array();
  assert.deepEqual(await told({}), ["proved", []]);
  assert.deepEqual(await told({ commitment: bytes(fair.commitment), rounds: new Map([[1, bytes(fair.rounds[1].commitment)]]) }), ["proved", ["true"]]);
  assert.deepEqual(await told({ entropies: [none, none, none] }), ["proved", ["true"]]);
  assert.deepEqual(await told({ commitment: new Uint8Array(32) }), ["refuted", ["false"]]);
  assert.deepEqual(await told({ rounds: new Map([[0, new Uint8Array(32)]]) }), ["refuted", ["false"]]);
  assert.deepEqual(await told({ rounds: new Map([[9, bytes(fair.commitment)]]) }), ["refuted", ["false"]]);
  assert.deepEqual(await told({ entropies: [none, Uint8Array.of(1), none] }), ["refuted", ["false"]]);
});

test("entropy that was added, or moved to another seat, makes other seeds", async () => {
  for (const entropies of [["00", "", ""], ["", "61", ""]]) {
    const forged = record("3-players.jsonl:2");
    forged.fair.entropies = entropies;
    const told = failed((await verifyRecord(JSON.stringify(forged))).steps);
    assert.ok(told.includes("verifySeed 1") && told.includes("verifyDeal 1"), told.join());
  }
});

test("a record without seeds is not proved, and what is no record is not read", async () => {
  const bare = record("2-players.jsonl:1");
  delete bare.fair;
  assert.deepEqual(await verifyRecord(JSON.stringify(bare)), { verdict: "unproved", steps: [] });
  const broken: ((it: Json) => void)[] = [
    (it) => (it.fair.algorithm = "fives-deal/2"),
    (it) => (it.fair.master = it.fair.master.slice(2)),
    (it) => it.fair.entropies.push(""),
    (it) => (it.fair.entropies[0] = "00".repeat(33)),
    (it) => it.fair.rounds.pop(),
    (it) => it.fair.rounds.push(it.fair.rounds[0]),
    (it) => (it.config.players = 5),
    (it) => (it.config.hand_rule = "constructor"),
    (it) => (it.hands = []),
    (it) => (it.hands[0].events = null),
    (it) => (it.hands[0].deal[0][0] = 65),
  ];
  for (const breakIt of broken) {
    const it = record("2-players.jsonl:2");
    breakIt(it);
    assert.deepEqual(await verifyRecord(JSON.stringify(it)), { verdict: "unreadable", steps: [] }, String(breakIt));
  }
  for (const text of ["", "null", "[]", "7", "{}", '{"config":{}', '"\\ud800"']) {
    assert.equal((await verifyRecord(text)).verdict, "unreadable", text);
  }
});
