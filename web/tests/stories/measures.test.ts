/** What the pages weigh, and how soon they show something. Only the weight is held here: times depend on the machine, and are printed. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";

import { counting, playsOn } from "../costs.js";
import { TestServer, until } from "../server.js";
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

test("what an update costs", async () => {
  const visitor = await people.person();
  const { page } = visitor;
  await page.goto(server.address);
  await page.locator(".featured .entries li code").first().waitFor();
  const [costs, plays] = await Promise.all([counting(page), playsOn(page)]);
  const seen = await until("some plays", async () => ((await plays()) > 30 ? plays() : undefined));
  const { scriptMs } = await costs();
  console.log(`an update: ${(scriptMs / seen).toFixed(2)} ms of script (mean of ${seen} plays, while the machine does other things)`);
  await visitor.leave(server.address);
});
