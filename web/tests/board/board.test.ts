/** What the board draws, looked at in a browser. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { type Scene, launch, show, stage } from "./browser.js";

const FOUR_TIPS = "1-1 1-5@L 1-6@R 1-4@N 1-3@S 3-5@S";

let browser: Browser;
let page: Page;

before(async () => {
  browser = await launch();
  page = await stage(browser);
});

after(() => browser.close());

async function draw(scene: Partial<Scene> & { plays: string }): Promise<void> {
  await show(page, { width: 600, height: 600, ...scene });
}

function labels(selector: string): Promise<(string | null)[]> {
  return page.$$eval(selector, (found) => found.map((element) => element.getAttribute("aria-label")));
}

test("tiles, ends, hands, scores and the boneyard have names, and the table a summary", async () => {
  await draw({ plays: FOUR_TIPS });
  assert.deepEqual(await labels(".fives-laid"), ["1-1, the spinner", "5-1", "6-1", "4-1", "3-1", "5-3, played last by Bela"]);
  assert.deepEqual(await labels(".fives-end"), ["left end: 5, counts 5", "right end: 6, counts 6", "upper arm: 4, counts 4", "lower arm: 5, counts 5"]);
  assert.deepEqual(await labels(".fives-seat"), ["Anna: 5 tiles, on turn", "Bela: 12 tiles"]);
  assert.deepEqual(await labels(".fives-lane"), ["Anna: 0 points of 200", "Bela: 35 points of 200"]);
  assert.deepEqual(await labels(".fives-boneyard"), ["12 tiles in the boneyard"]);
  const summary =
    "6 tiles on the table. left end: 5, counts 5, right end: 6, counts 6, upper arm: 4, counts 4, lower arm: 5, counts 5. Total 20.";
  assert.deepEqual(await labels(".fives-table > [role=group]"), [summary]);
  assert.equal(await page.locator(".fives-total").textContent(), "Total 20+20");
});

test("every half has as many pips as its number, as shapes", async () => {
  await draw({ plays: "6-5 5-5@R 6-6@L 6-0@L" });
  const pips = await page.$$eval(".fives-laid", (tiles) => tiles.map((tile) => tile.querySelectorAll("circle.fives-pip").length));
  assert.deepEqual(pips, [11, 10, 12, 6]);
  assert.equal(await page.locator(".fives-laid text").count(), 0);
});

test("the halves that touch show the same number of pips side by side", async () => {
  await draw({ plays: "6-4 4-2@R 6-3@L" });
  const halves = await page.$$eval(".fives-laid", (tiles) =>
    tiles.map((tile) => {
      const box = tile.querySelector(".fives-tile-body")?.getBoundingClientRect();
      const middle = (box?.left ?? 0) + (box?.width ?? 0) / 2;
      const pips = [...tile.querySelectorAll(".fives-pip")].map((pip) => pip.getBoundingClientRect());
      const left = pips.filter((pip) => pip.left + pip.width / 2 < middle).length;
      return { at: box?.left ?? 0, halves: [left, pips.length - left] };
    }),
  );
  const inOrder = halves.toSorted((one, other) => one.at - other.at).flatMap((tile) => tile.halves);
  assert.deepEqual(inOrder, [3, 6, 6, 4, 4, 2]);
});

test("a bare arm is shown without a count", async () => {
  await draw({ plays: "6-6 6-3@R 6-2@L" });
  assert.deepEqual(await labels(".fives-end-bare"), ["upper arm: 6, not begun", "lower arm: 6, not begun"]);
  assert.deepEqual(await page.locator(".fives-end-bare text").allTextContents(), ["", ""]);
});

test("drawn again, what stays is the same element, and only the new tile is new", async () => {
  const fresh = await stage(browser);
  const scene = { width: 600, height: 600 };
  await show(fresh, { ...scene, plays: "6-6 6-3@R" });
  assert.equal(await fresh.locator(".fives-new").count(), 0, "who comes late sees tiles lying");
  await fresh.evaluate(() => {
    for (const [at, tile] of document.querySelectorAll(".fives-laid").entries()) tile.setAttribute("data-known", String(at));
  });
  await show(fresh, { ...scene, plays: "6-6 6-3@R 6-2@L" });
  const known = await fresh.$$eval(".fives-laid", (tiles) => tiles.map((tile) => [tile.getAttribute("data-known"), tile.getAttribute("class")]));
  assert.deepEqual(known, [
    ["0", "fives-laid"],
    ["1", "fives-laid"],
    [null, "fives-laid fives-last fives-new"],
  ]);
  const running = await fresh.evaluate(() => document.getAnimations().map((animation) => (animation as CSSAnimation).animationName));
  assert.ok(running.includes("fives-lay"));
  // Drawn once more with nothing new, as after a heartbeat: nothing begins again.
  const animations = (): Promise<unknown> =>
    fresh.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
      return document.getAnimations().length;
    });
  await animations();
  await show(fresh, { ...scene, plays: "6-6 6-3@R 6-2@L" });
  assert.equal(await animations(), 0);
  await show(fresh, { ...scene, plays: "5-5", round: 1 });
  assert.deepEqual(await fresh.$$eval(".fives-laid", (tiles) => tiles.map((tile) => tile.getAttribute("aria-label"))), ["5-5, played last by Bela"]);
  await fresh.close();
});

test("who wants less motion gets none", async () => {
  const still = await stage(browser, { stillness: true });
  await show(still, { width: 600, height: 600, plays: "6-6" });
  await show(still, { width: 600, height: 600, plays: "6-6 6-3@R" });
  assert.equal(await still.locator(".fives-new").count(), 1);
  assert.equal(await still.evaluate(() => document.getAnimations().length), 0);
  await still.close();
});

test("a hostile name is text", async () => {
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  await draw({ plays: "5-5", names: [hostile, "\u202eabc"] });
  assert.equal(await page.locator("#board img, #board script").count(), 0);
  assert.equal(await page.title(), "");
  const [first, second] = await labels(".fives-seat");
  assert.equal(first, `${hostile}: 5 tiles, on turn`);
  assert.equal(second, "abc: 12 tiles");
});

test("a long name ends in an ellipsis inside its seat", async () => {
  await draw({ plays: "5-5", width: 360, names: ["W".repeat(64), "👩‍👩‍👧‍👧".repeat(30), "王".repeat(40), "דנה".repeat(20)] });
  const seats = await page.$$eval(".fives-seat", (found) =>
    found.map((seat) => {
      const plate = seat.querySelector(".fives-seat-plate")?.getBoundingClientRect();
      const name = seat.querySelector(".fives-seat-name");
      const text = name?.getBoundingClientRect();
      return { inside: (text?.right ?? 1e9) <= (plate?.right ?? 0) && (text?.left ?? -1) >= (plate?.left ?? 0), text: name?.textContent ?? "" };
    }),
  );
  for (const { inside, text } of seats) {
    assert.ok(inside, `${text} is inside its plate`);
    assert.match(text, /…\u2069?$/);
  }
});

test("parts that a page does not want leave their room to the table", async () => {
  const height = (): Promise<number> => page.$eval(".fives-felt", (felt) => felt.getBoundingClientRect().height);
  await draw({ plays: "5-5" });
  const withAll = await height();
  await draw({ plays: "5-5", tracks: false, seats: false });
  assert.ok((await height()) > withAll + 100);
  assert.equal(await page.locator(".fives-seat").first().isVisible(), false);
  await draw({ plays: "5-5" });
  assert.equal(await page.locator(".fives-seat").first().isVisible(), true);
});

test("everything is said in the reader's language", async () => {
  await draw({ plays: "5-5", tag: "ro" });
  assert.equal(await page.locator(".fives-total").textContent(), "Total 10+10");
  assert.deepEqual(await labels(".fives-seat"), ["Anna: 5 piese, la rând", "Bela: 12 piese"]);
  await draw({ plays: "5-5", tag: "lb" });
  assert.deepEqual(await labels(".fives-boneyard"), ["17 Steng am Stack"]);
});
