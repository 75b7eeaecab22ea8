/** What the pages weigh, and how soon they show something. Only the weight is held here: times depend on the machine, and are printed. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { get } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

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

/** What the service sends for an address to who takes this coding, as it is on the wire. */
function sent(path: string, coding: string): Promise<{ bytes: Buffer; coding: string | undefined }> {
  return new Promise((answered, failed) => {
    get(`${server.address}${path}`, { headers: { "accept-encoding": coding } }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => answered({ bytes: Buffer.concat(parts), coding: response.headers["content-encoding"] }));
    }).on("error", failed);
  });
}

test("the pages weigh less than 150 kB", async () => {
  const dist = join(process.env.FIVES_WEB ?? ".", "dist");
  const unpacked = { br: brotliDecompressSync, gzip: gunzipSync } as const;
  // Browsers take brotli over TLS and from their own machine, gzip everywhere.
  for (const coding of ["gzip", "br"] as const) {
    let all = 0;
    for (const name of readdirSync(dist)) {
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
