/** What a page costs and holds while a long match is played. On demand: it takes a machine that does nothing else. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { BotKind, FivesClient, MatchVisibility } from "../../src/client/index.js";
import { DEADLINE_MS, TestServer, until } from "../server.js";
import { People } from "../stories/browser.js";

let server: TestServer;
let people: People;

before(async () => {
  [server, people] = await Promise.all([TestServer.start(20), People.come()]);
});
after(async () => {
  await people?.leave();
  await server?.end();
});

test("what a play costs, and what a page holds after a thousand of them", async () => {
  const made = new FivesClient({ baseUrl: server.address });
  await made.signIn("gustav");
  // Four bots that play at random, each for itself, are long in reaching the highest target.
  const random = { occupant: { case: "bot", value: BotKind.RANDOM } } as const;
  const { matchId } = await made.create({
    seats: [random, random, random, random],
    visibility: MatchVisibility.PUBLIC,
    spectatorsAllowed: true,
    options: { targetPoints: 1000, maxRounds: 1000 },
  });
  const visitor = await people.person();
  const { page, context } = visitor;
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  const measured = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { busy: value("TaskDuration"), heap: value("JSHeapUsedSize"), nodes: value("Nodes") };
  };
  await page.goto(`${server.address}/watch/${matchId}`);
  await page.locator(".fives-laid").first().waitFor();
  await page.evaluate(() => {
    const counted = globalThis as unknown as { plays: number };
    counted.plays = 0;
    const isPlay = (node: Node) => (node as Element).querySelector("code") !== null;
    const list = document.querySelector(".entries ol");
    if (list) new MutationObserver((changes) => changes.forEach(({ addedNodes }) => (counted.plays += Array.from(addedNodes).filter(isPlay).length))).observe(list, { childList: true });
  });
  const plays = () => page.evaluate(() => (globalThis as unknown as { plays: number }).plays);
  // The list of plays, draws and passes is full by then, so that what grows after it grows for ever.
  await until("the page is warm", async () => (await plays()) > 300, DEADLINE_MS);
  const [before, from] = [await measured(), await plays()];
  await until("a thousand plays", async () => (await plays()) > from + 1_000, DEADLINE_MS);
  const [after, to] = [await measured(), await plays()];
  console.log(`a play drawn: ${(((after.busy - before.busy) * 1e3) / (to - from)).toFixed(2)} ms of the page, style and layout included`);
  console.log(`over ${to - from} plays: heap ${Math.round(before.heap / 1024)} kB to ${Math.round(after.heap / 1024)} kB, nodes ${before.nodes} to ${after.nodes}`);
  assert.ok(after.heap < 1.5 * before.heap, "what a page holds does not grow");
  assert.ok(after.nodes < 1.5 * before.nodes, "nor does what it shows");
  await visitor.leave(server.address);
});
