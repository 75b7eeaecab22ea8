/** What the pages weigh, how soon they show something, what an update costs. Times depend on the machine, and are printed; what they rest on is held. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { get } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import type { Page } from "playwright-core";

import { counting, playsOn } from "../costs.js";
import { until } from "../server.js";
import { botsMatch } from "./bots.js";
import { stage } from "./stage.js";

const WEIGHT_MAX = 150_000;

const at = stage(20);

/** What the service sends for an address to who takes this coding, as it is on the wire. */
function sent(path: string, coding: string): Promise<{ bytes: Buffer; coding: string | undefined }> {
  return new Promise((answered, failed) => {
    get(`${at.server.address}${path}`, { headers: { "accept-encoding": coding } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => answered({ bytes: Buffer.concat(parts), coding: response.headers["content-encoding"] }));
    }).on("error", failed);
  });
}

test("the pages weigh less than 150 kB", async () => {
  const dist = join(process.env.FIVES_WEB ?? ".", "dist");
  const unpacked = { br: brotliDecompressSync, gzip: gunzipSync } as const;
  // Browsers take brotli over TLS and from their own machine, and gzip from others without TLS.
  for (const coding of ["gzip", "br"] as const) {
    let all = 0;
    // A browser asks for one of the two pages.
    for (const name of readdirSync(dist).filter((file) => file !== "embed.html")) {
      const answer = await sent(name === "index.html" ? "/" : `/assets/${name}`, coding);
      const plain = answer.coding === undefined ? answer.bytes : unpacked[coding](answer.bytes);
      assert.ok(plain.equals(readFileSync(join(dist, name))), `${name} arrives as it is`);
      console.log(`weight, ${coding}: ${name} ${answer.bytes.length}`);
      all += answer.bytes.length;
    }
    console.log(`weight, ${coding}: all ${all}`);
    assert.ok(all < WEIGHT_MAX, `${all} bytes`);
  }
});

test("first content over a slow network", async () => {
  const visitor = await at.people.person();
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
  // Held back until something is painted, which costs nothing where that comes first: a busy machine must not let the script overtake.
  await devtools.send("Fetch.enable", { patterns: [{ urlPattern: "*/assets/app-*.js", requestStage: "Response" }] });
  const held = new Promise<string>((answered) => devtools.once("Fetch.requestPaused", ({ requestId }) => answered(requestId)));
  await page.goto(at.server.address, { waitUntil: "commit" });
  const first = await until("something is painted without the script", () =>
    page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime),
  );
  await devtools.send("Fetch.continueRequest", { requestId: await held });
  await page.locator(".featured .fives-laid").first().waitFor();
  const table = await page.evaluate(() => performance.now());
  const script = await page.evaluate(() => performance.getEntriesByType("resource").find(({ name }) => /\/app-[^/]*\.js$/.test(name))?.toJSON() as { responseEnd: number } | undefined);
  assert.ok(script && first < script.responseEnd, `painted at ${first}, loaded at ${script?.responseEnd}`);
  console.log(`first content on Fast 3G: ${Math.round(first)} ms; a table that is being played: ${Math.round(table)} ms`);
  await visitor.leave(at.server.address);
});

/** Looks at the tiles on the table. A tile that lay there at an earlier look is the same element, or it was `drawnAgain`. */
function lookAtTiles(page: Page): Promise<{ kept: number; drawnAgain: string[] }> {
  return page.evaluate(() => {
    const known = ((globalThis as unknown as { laid?: Map<string, Element> }).laid ??= new Map());
    // What is shown is the end of a round that is over: somebody who has seen enough of it goes on.
    if (document.querySelector(".banner:not([hidden])")) document.querySelector<HTMLElement>(".board")?.click();
    const round = Array.from(document.querySelectorAll(".status span"), (part) => part.textContent).find((said) => /^Round \d+$/.test(said ?? ""));
    let kept = 0;
    const drawnAgain: string[] = [];
    for (const tile of document.querySelectorAll(".fives-laid")) {
      const name = `${round}: ${/^\d-\d/.exec(tile.querySelector("title")?.textContent ?? "")?.[0]}`;
      const before = known.get(name);
      if (before === tile) kept += 1;
      else if (before) drawnAgain.push(name);
      known.set(name, tile);
    }
    return { kept, drawnAgain };
  });
}

test("what an update costs: it draws what is new, and leaves the rest as it lies", async () => {
  const visitor = await at.people.person();
  const { page } = visitor;
  // Long enough that it is not over meanwhile.
  await page.goto(`${at.server.address}/watch/${await botsMatch(at.server.address, 1000, 4)}`);
  await page.locator(".entries li code").first().waitFor();
  const [costs, plays] = await Promise.all([counting(page), playsOn(page)]);
  let kept = 0;
  const seen = await until("some plays", async () => {
    const tiles = await lookAtTiles(page);
    assert.deepEqual(tiles.drawnAgain, []);
    kept += tiles.kept;
    const count = await plays();
    return count > 30 && kept > 30 && count;
  });
  const { scriptMs } = await costs();
  console.log(`an update: ${(scriptMs / seen).toFixed(2)} ms of script (mean of ${seen} plays, while the machine does other things)`);
  await visitor.leave(at.server.address);
});
