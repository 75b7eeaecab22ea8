/** A player with a phone: all that a turn needs is in the window, large enough for a thumb. */

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Locator, Page } from "playwright-core";

import { FivesClient } from "../../src/client/index.js";
import type { MatchRecord } from "../../src/page/record.js";
import { until } from "../server.js";
import type { Person } from "./browser.js";
import { stage } from "./stage.js";

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" } as const;
const SIDEWAYS = { ...PHONE, viewport: { width: 844, height: 390 } } as const;

const at = stage();

/** What is wrong with the page for a thumb: what is out of the window, covered or too small. */
function faults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    if (scrollX !== 0 || scrollY !== 0) found.push(`scrolled to ${scrollX}, ${scrollY}`);
    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    const look = (kind: string, least: { width: number; height: number }) => {
      for (const part of document.querySelectorAll(kind)) {
        const { left, top, width, height } = part.getBoundingClientRect();
        const what = `${kind} ${part.textContent} (${[left, top, width, height].map(Math.round).join(" ")})`;
        if (width < least.width || height < least.height) found.push(`too small: ${what}`);
        const middle = { x: left + width / 2, y: top + height / 2 };
        // As much of it as is asked for, around its middle.
        const reach = { x: least.width / 2, y: least.height / 2 };
        if (middle.x < reach.x || middle.y < reach.y || middle.x > innerWidth - reach.x || middle.y > innerHeight - reach.y) found.push(`out of the window: ${what}`);
        const hit = document.elementFromPoint(middle.x, middle.y);
        if (hit !== part && !part.contains(hit)) found.push(`covered: ${what}`);
      }
    };
    look(".tile", { width: 36, height: 44 });
    look(".choice", { width: 44, height: 44 });
    look(".light", { width: 20, height: 20 });
    look(".prompt", { width: 100, height: 20 });
    look(".board", { width: 200, height: 200 });
    return found;
  });
}

/** Where the tiles of the hand are; the chosen one is raised a little. */
function places(page: Page): Promise<number[][]> {
  return page.locator(".own-hand .tile[aria-pressed=false]").evaluateAll((tiles) =>
    tiles.map((tile) => {
      const { x, y } = tile.getBoundingClientRect();
      return [Math.round(x), Math.round(y)];
    }),
  );
}

/** At a table with bots; its id. */
async function sitDown(player: Person, name: string, players: number, target: number): Promise<string> {
  await player.signIn(`${at.server.address}/play`, name);
  await player.page.getByLabel("Players").selectOption(String(players));
  return player.openTable(target, "Bots");
}

/** Plays with taps to the end; looks at every turn of the own. How many there were. */
async function tapOut(player: Person): Promise<number> {
  const { page } = player;
  const legal = page.locator(".own-hand.on-turn .tile.legal");
  for (let turns = 0; ; ) {
    await until("a turn or the end", async () => (await player.isOver()) || (await legal.count()) > 0);
    if (await player.isOver()) return turns;
    assert.deepEqual(await faults(page), [], `turn ${turns}, nothing chosen`);
    const before = await places(page);
    await legal.last().tap();
    const choices = page.locator(".choice");
    await choices.first().waitFor();
    assert.deepEqual(await faults(page), [], `turn ${turns}, a tile chosen`);
    const after = await places(page);
    const pressed = await page.locator(".tile").evaluateAll((tiles) => tiles.findIndex((tile) => tile.getAttribute("aria-pressed") === "true"));
    assert.deepEqual(after, before.toSpliced(pressed, 1), "choosing moves no tile");
    // A tap is done before its click is: the next turn begins with the answer.
    await Promise.all([page.waitForResponse(/PlayTile$/), choices.last().tap()]);
    turns += 1;
  }
}

async function middle(of: Locator): Promise<{ x: number; y: number }> {
  const box = await of.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test("a whole match is tapped on a small phone", async () => {
  const player = await at.people.person(PHONE);
  await sitDown(player, "tina", 2, 100);
  assert.ok((await tapOut(player)) > 5);
  const { page } = player;
  for (const name of ["Play again", "Replay", "Close"]) {
    const { y } = await middle(page.getByText(name, { exact: true }));
    assert.ok(y < 320, `${name} stands at the result`);
  }
  assert.doesNotMatch(await page.title(), /Your turn/);
  await player.leave(at.server.address);
});

test("and on one that lies on its side, with four at the table", async () => {
  const player = await at.people.person(SIDEWAYS);
  await sitDown(player, "sina", 4, 50);
  await until("the tab says whose turn it is", async () => (await player.isOver()) || /Your turn/.test(await player.page.title()));
  assert.ok((await tapOut(player)) > 1);
  await player.leave(at.server.address);
});

test("a tile is dragged to the board with a finger", async () => {
  const player = await at.people.person(PHONE);
  await sitDown(player, "fanny", 2, 1000);
  const { page } = player;
  const finger = await player.context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", at?: { x: number; y: number }) => finger.send("Input.dispatchTouchEvent", { type, touchPoints: at ? [at] : [] });
  const legal = page.locator(".own-hand.on-turn .tile.legal").first();
  await legal.waitFor();
  const name = await legal.getAttribute("data-tile");
  const from = await middle(legal);
  await touch("touchStart", from);
  for (let step = 1; step <= 6; step += 1) await touch("touchMove", { x: from.x, y: from.y - 20 * step });
  // It is chosen on the way, and its places are lit.
  const light = page.locator(".light").first();
  await light.waitFor();
  await touch("touchMove", await middle(light));
  await touch("touchEnd");
  await page.locator(`.own-hand [data-tile="${name}"]`).waitFor({ state: "detached" });
  await page.locator(".entries li", { hasText: `fanny` }).filter({ hasText: `${name}` }).first().waitFor({ state: "attached" });
  assert.equal(await page.locator(".ghost").count(), 0);
  assert.deepEqual(await page.evaluate(() => [scrollX, scrollY]), [0, 0], "the page stayed where it was");
  await player.leave(at.server.address);
});

test("three taps on a play play once", async () => {
  const player = await at.people.person(PHONE);
  const match = await sitDown(player, "tabea", 2, 1000);
  const { page } = player;
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/PlayTile")) asked.push(request.url());
  });
  const turns = 4;
  for (let turn = 1; turn <= turns; turn += 1) {
    await page.locator(".own-hand.on-turn .tile.legal").first().tap();
    const { x, y } = await middle(page.locator(".choice").first());
    for (let tap = 0; tap < 3; tap += 1) await page.touchscreen.tap(x, y);
    // The service lists what it took; nothing it had to refuse came to it.
    const own = page.locator(".entries li:has(code)", { hasText: "tabea" });
    await until("the play stands in the list", async () => (await own.count()) >= turn);
    await page.locator(".own-hand.on-turn").waitFor();
    assert.equal(await own.count(), turn);
    assert.equal(asked.length, turn);
    assert.equal(await page.locator(".table > .notice").isVisible(), false);
  }
  // The record is the service's own account of it.
  await page.getByRole("button", { name: "Give up" }).tap();
  await page.getByRole("button", { name: "Yes" }).tap();
  await page.getByRole("link", { name: "Replay" }).waitFor();
  const record = JSON.parse(await new FivesClient({ baseUrl: at.server.address }).replay(match)) as MatchRecord;
  const played = record.hands.flatMap(({ events }) => events.flatMap(({ seat, play }) => (seat === 0 && play !== null ? [play] : [])));
  assert.equal(played.length, turns, played.join());
  assert.equal(new Set(played).size, turns, played.join());
  assert.equal(asked.length, turns);
  await player.leave(at.server.address);
});
