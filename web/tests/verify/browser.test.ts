/** The check of the deals where it is made: in a browser, with its own WebCrypto. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { build } from "esbuild";
import type { Browser } from "playwright-core";

import type { Verification } from "../../src/verify/verify.js";
import { launch } from "../board/browser.js";

const WEB = process.env.FIVES_WEB ?? ".";

let browser: Browser;

before(async () => {
  browser = await launch();
});

after(() => browser.close());

test("a browser proves a record and refuses a forged one, and asks nobody", async () => {
  const result = await build({ entryPoints: [join(WEB, "src/verify/verify.ts")], bundle: true, format: "iife", globalName: "verification", write: false });
  const page = await browser.newPage();
  // WebCrypto is only there on a secure page. Nothing listens at this address: the test answers itself, once.
  const asked: string[] = [];
  await page.route("**/*", (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>verify</title>" });
  });
  await page.goto("https://fives.test/");
  await page.addScriptTag({ content: result.outputFiles[0]?.text ?? "" });
  const verified = (json: string): Promise<Verification> =>
    page.evaluate((text) => (globalThis as unknown as { verification: { verifyRecord(json: string): Promise<Verification> } }).verification.verifyRecord(text), json);
  const lines = readFileSync(join(WEB, "tests/verify/records/4-players.jsonl"), "utf8").trim().split("\n");
  for (const line of lines) {
    assert.equal((await verified(line)).verdict, "proved");
    const forged = JSON.parse(line);
    forged.hands[0].boneyard.reverse();
    const { verdict, steps } = await verified(JSON.stringify(forged));
    assert.equal(verdict, "refuted");
    assert.ok(steps.some(({ key, round, passed }) => key === "verifyDeal" && round === 1 && !passed));
  }
  assert.deepEqual(asked, ["https://fives.test/"]);
  await page.close();
});
