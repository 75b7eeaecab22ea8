/** What a page costs and holds while a long match is played. On demand: it takes a machine that does nothing else. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { BotKind, FivesClient, MatchVisibility } from "../../src/client/index.js";
import { counting, playsOn } from "../costs.js";
import { DEADLINE_MS, until } from "../server.js";
import { stage } from "../stories/stage.js";

const at = stage(20);

test("what a play costs, and what a page holds after a thousand of them", async () => {
  const made = new FivesClient({ baseUrl: at.server.address });
  await made.signIn("gustav");
  // Four bots that play at random, each for itself, are long in reaching the highest target.
  const random = { occupant: { case: "bot", value: BotKind.RANDOM } } as const;
  const { matchId } = await made.create({
    seats: [random, random, random, random],
    visibility: MatchVisibility.PUBLIC,
    spectatorsAllowed: true,
    options: { targetPoints: 1000, maxRounds: 1000 },
  });
  const visitor = await at.people.person();
  const { page } = visitor;
  await page.goto(`${at.server.address}/watch/${matchId}`);
  await page.locator(".fives-laid").first().waitFor();
  const [costs, plays] = await Promise.all([counting(page), playsOn(page)]);
  const morePlays = async (count: number) => {
    const goal = (await plays()) + count;
    await until(`${count} more plays`, async () => (await plays()) > goal, DEADLINE_MS);
  };
  /** What the page holds, at the best of a few moments: now and then something waits to be collected. */
  const held = async () => {
    const moments = [];
    for (let moment = 0; moment < 4; moment += 1) {
      await morePlays(20);
      moments.push(await costs());
    }
    return { heapBytes: Math.min(...moments.map(({ heapBytes }) => heapBytes)), nodes: Math.min(...moments.map(({ nodes }) => nodes)) };
  };
  // The list of plays, draws and passes is full by then, so that what grows after it grows for ever.
  await until("the page is warm", async () => (await plays()) > 300, DEADLINE_MS);
  const [before, from] = [await held(), await plays()];
  await morePlays(1_000);
  const { scriptMs, busyMs } = await costs();
  const [after, to] = [await held(), await plays()];
  console.log(`a play drawn: ${(scriptMs / 1_000).toFixed(2)} ms of script, ${(busyMs / 1_000).toFixed(2)} ms of the page with style and layout`);
  const kB = (bytes: number) => `${Math.round(bytes / 1024)} kB`;
  console.log(`over ${to - from} plays: heap ${kB(before.heapBytes)} to ${kB(after.heapBytes)}, nodes ${before.nodes} to ${after.nodes}`);
  assert.ok(after.heapBytes < 1.3 * before.heapBytes, "what a page holds does not grow");
  assert.ok(after.nodes < 1.3 * before.nodes, "nor does what it shows");
  await visitor.leave(at.server.address);
});
