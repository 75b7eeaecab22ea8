/** What the pages weigh and cost. Only the weight is a promise that is held here: times depend on the machine, and are printed. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";

import { BotKind, FivesClient, MatchVisibility } from "../../src/client/index.js";
import { DEADLINE_MS, TestServer, until } from "../server.js";
import { People } from "./browser.js";

const WEIGHT_MAX = 150_000;

let server: TestServer;
let people: People;

before(async () => {
  [server, people] = await Promise.all([TestServer.start(20), People.come()]);
});
after(async () => {
  await people?.leave();
  await server?.end();
});

test("the pages weigh less than 150 kB", () => {
  const dist = join(process.env.FIVES_WEB ?? ".", "dist");
  const weights = readdirSync(dist).map((name) => {
    const content = readFileSync(join(dist, name));
    // A font is compressed as it is.
    return { name, bytes: name.endsWith(".woff2") ? content.length : gzipSync(content, { level: 9 }).length };
  });
  const all = weights.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { name, bytes } of weights) console.log(`weight: ${name} ${bytes}`);
  console.log(`weight: all ${all}`);
  assert.ok(all < WEIGHT_MAX, `${all} bytes`);
});

test("first content over a slow network", async () => {
  const visitor = await people.person();
  const { page, context } = visitor;
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  // "Fast 3G" of Chromium's developer tools.
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 562.5,
    downloadThroughput: (1.6e6 / 8) * 0.9,
    uploadThroughput: (0.75e6 / 8) * 0.9,
  });
  await page.goto(server.address);
  const first = await until("something is painted", () =>
    page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime),
  );
  await page.locator(".featured .fives-laid").first().waitFor();
  const table = await page.evaluate(() => performance.now());
  console.log(`first content on Fast 3G: ${Math.round(first)} ms; a table that is being played: ${Math.round(table)} ms`);
  await visitor.leave(server.address);
});

test("what an update costs, and what a page holds after a thousand plays", async () => {
  const made = new FivesClient({ baseUrl: server.address });
  await made.signIn("gustav");
  const { matchId } = await made.create({
    seats: Array.from({ length: 4 }, () => ({ occupant: { case: "bot", value: BotKind.RANDOM } }) as const),
    visibility: MatchVisibility.PUBLIC,
    spectatorsAllowed: true,
    options: { targetPoints: 1000 },
  });
  const visitor = await people.person();
  const { page, context } = visitor;
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  const measured = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { script: value("ScriptDuration"), heap: value("JSHeapUsedSize"), nodes: value("Nodes"), layout: value("LayoutDuration") + value("RecalcStyleDuration") };
  };
  await page.goto(`${server.address}/watch/${matchId}`);
  await page.locator(".fives-laid").first().waitFor();
  // Each play that is drawn makes another tile the newest.
  await page.evaluate(() => {
    const counted = globalThis as unknown as { plays: number };
    counted.plays = 0;
    const entries = document.querySelector(".entries ol");
    if (entries) new MutationObserver((changes) => changes.forEach(({ addedNodes }) => (counted.plays += Array.from(addedNodes).filter((node) => (node as Element).querySelector("code")).length))).observe(entries, { childList: true });
  });
  const plays = () => page.evaluate(() => (globalThis as unknown as { plays: number }).plays);
  // The list of plays is full by then, so that what grows after it grows for ever.
  await until("the page is warm", async () => (await plays()) > 400, 5 * DEADLINE_MS);
  const [before, from] = [await measured(), await plays()];
  await until("a thousand plays", async () => (await plays()) > from + 1_000, 5 * DEADLINE_MS);
  const [after, to] = [await measured(), await plays()];
  const count = to - from;
  const each = (seconds: number) => `${((seconds * 1e3) / count).toFixed(2)} ms`;
  console.log(`a play drawn: script ${each(after.script - before.script)}, style and layout ${each(after.layout - before.layout)}`);
  console.log(`over ${count} plays: heap ${Math.round(before.heap / 1024)} kB to ${Math.round(after.heap / 1024)} kB, nodes ${before.nodes} to ${after.nodes}`);
  await visitor.leave(server.address);
});
