/** A match that is over, looked at again. */

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Page } from "playwright-core";

import { FivesClient, MatchState, MatchVisibility, Refused } from "../../src/client/index.js";
import { TestServer, until } from "../server.js";
import { violations } from "./axe.js";
import { OPEN, SELF, botsMatch } from "./bots.js";
import { stage } from "./stage.js";

let match: string;
const at = stage(0, async ({ address }) => {
  match = await botsMatch(address, 150, 3);
  const client = new FivesClient({ baseUrl: address });
  await until("the match is over", async () => (await client.match(match)).state === MatchState.FINISHED);
});

function position(page: Page): Promise<string | null> {
  return page.locator(".position").textContent();
}

/** The hands as they lie: open tiles, backs, and what stands as their count, seat by seat. */
function hands(page: Page): Promise<[open: number, backs: number, count: number][]> {
  return page.locator(".fives-seat").evaluateAll((seats) =>
    seats.map((seat): [number, number, number] => [
      seat.querySelectorAll(".fives-hand .fives-tile").length,
      seat.querySelectorAll(".fives-hand .fives-back").length,
      Number(seat.querySelector(".fives-seat-count")?.textContent),
    ]),
  );
}

test("it goes from play to play and from round to round, by buttons and by keys", async () => {
  const visitor = await at.people.person();
  const { page } = visitor;
  await page.goto(`${at.server.address}/replay/${match}`);
  const scrubber = page.getByRole("slider");
  await scrubber.waitFor();
  const rounds = await page.locator("datalist option").count();
  assert.ok(rounds >= 2, `${rounds} rounds`);
  assert.equal(await position(page), `Round 1 of ${rounds}, dealt`);
  await page.getByRole("button", { name: "One play on" }).click();
  assert.match((await position(page)) ?? "", new RegExp(`^Round 1 of ${rounds}, play 1 of \\d+$`));
  await page.getByRole("button", { name: "One round on" }).click();
  assert.equal(await position(page), `Round 2 of ${rounds}, dealt`);
  assert.equal(await page.locator(".fives-laid").count(), 0);

  await scrubber.focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await position(page), `Round 1 of ${rounds}, over`);
  assert.equal(await scrubber.getAttribute("aria-valuetext"), `Round 1 of ${rounds}, over`);
  await page.keyboard.press("PageUp");
  assert.equal(await position(page), `Round 1 of ${rounds}, dealt`);
  await page.keyboard.press("PageUp");
  assert.equal(await position(page), `Round 1 of ${rounds}, dealt`, "before the first there is none");
  await page.keyboard.press("PageDown");
  assert.equal(await position(page), `Round 2 of ${rounds}, dealt`);
  await page.keyboard.press("End");
  assert.equal(await position(page), "The match is over");
  await page.keyboard.press("PageUp");
  assert.equal(await position(page), `Round ${rounds} of ${rounds}, dealt`);
  await page.keyboard.press("PageDown");
  assert.equal(await position(page), "The match is over");
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await until("it plays by itself", async () => /play 1 /.test((await position(page)) ?? ""));
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await visitor.leave(at.server.address);
});

test("the hands lie open, or their backs are shown until the round is over; what it cost is said", async () => {
  const visitor = await at.people.person();
  const { page } = visitor;
  await page.goto(`${at.server.address}/replay/${match}`);
  const scrubber = page.getByRole("slider");
  await scrubber.focus();
  const last = Number(await scrubber.getAttribute("max"));
  let costs = 0;
  for (let picture = 0; picture <= last; picture += 1) {
    for (const [open, backs, count] of await hands(page)) assert.deepEqual([open, backs], [count, 0], `picture ${picture}`);
    const isOver = /over$/.test((await position(page)) ?? "");
    assert.equal(await page.locator(".ending").isVisible(), isOver);
    if (/lost \d+ points/.test((await page.locator(".ending").textContent()) ?? "")) costs += 1;
    await page.keyboard.press("ArrowRight");
  }
  assert.ok(costs > 0, "no round cost anybody anything");

  await page.getByLabel("Show the hands").uncheck();
  await page.getByRole("button", { name: "To the beginning" }).click();
  for (const [open, backs, count] of await hands(page)) assert.deepEqual([open, backs], [0, count]);
  await page.getByRole("button", { name: "One round on" }).click();
  await page.getByRole("button", { name: "One play back" }).click();
  for (const [open, backs, count] of await hands(page)) assert.deepEqual([open, backs], [count, 0], "what was left is turned up");
  await visitor.leave(at.server.address);
});

test("on a phone, upright or on its side, the bar is in view and covers nothing of the board", async () => {
  for (const viewport of [{ width: 360, height: 640 }, { width: 390, height: 844 }, { width: 844, height: 390 }]) {
    const visitor = await at.people.person({ viewport, isMobile: true, hasTouch: true });
    const { page } = visitor;
    await page.goto(`${at.server.address}/replay/${match}`);
    const [bar, board] = await Promise.all([".replay-bar", ".board"].map((part) => page.locator(part).boundingBox()));
    assert.ok(bar && board);
    assert.ok(bar.y + bar.height <= viewport.height && bar.x >= 0 && bar.x + bar.width <= viewport.width, JSON.stringify([viewport, bar]));
    // One that lies on its side has room beside the board only.
    const isApart = viewport.width > viewport.height ? bar.x >= board.x + board.width : bar.y >= board.y + board.height;
    assert.ok(isApart, JSON.stringify([viewport, bar, board]));
    await visitor.leave(at.server.address);
  }
});

test("the check of the deals is a line a round, and open where something is wrong", async () => {
  const visitor = await at.people.person();
  const { page } = visitor;
  await page.goto(`${at.server.address}/replay/${match}`);
  await page.getByRole("slider").waitFor();
  const rounds = await page.locator("datalist option").count();
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("All deals are proved.").waitFor();
  assert.equal(await page.locator(".proof details").count(), rounds);
  assert.equal(await page.locator(".proof details[open]").count(), 0);
  assert.deepEqual(await violations(page), []);

  // The record's last seed is another one.
  await page.route("**/GetReplay", async (route) => {
    const answer = await route.fetch();
    const body = await answer.body();
    const digit = body.lastIndexOf('"seed":"') + '"seed":"'.length;
    body[digit] = body[digit] === 0x30 ? 0x31 : 0x30;
    await route.fulfill({ response: answer, body });
  });
  await page.reload();
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("The record does not prove its deals.").waitFor();
  assert.equal(await page.locator(".proof details[open]").count(), 1);
  await page.getByText(`Round ${rounds}: something is wrong`).waitFor();
  assert.deepEqual(await violations(page), []);
  await visitor.leave(at.server.address);
});

test("a match that is still played says so, and one that nobody knows, too", async () => {
  const visitor = await at.people.person();
  const { page } = visitor;
  const owner = new FivesClient({ baseUrl: at.server.address });
  await owner.signIn("gustav");
  const { matchId } = await owner.create({ seats: [SELF, OPEN], visibility: MatchVisibility.PUBLIC, spectatorsAllowed: true });
  const other = new FivesClient({ baseUrl: at.server.address });
  await other.signIn("hilde");
  await other.join({ matchId });
  await page.goto(`${at.server.address}/replay/${matchId}`);
  await page.getByRole("alert").getByText("This match is still being played.").waitFor();
  assert.equal(await page.getByRole("link", { name: "Watch", exact: true }).getAttribute("href"), `/watch/${matchId}`);
  for (const nobody of ["m-nonsense", "m-aaaaaaaaaaaaaaaaaaaaaaaaaa"]) {
    await page.goto(`${at.server.address}/replay/${nobody}`);
    await page.getByRole("alert").getByText("There is no such table, or no longer.").waitFor();
  }
  await visitor.leave(at.server.address);
});

test("a match that is archived has its replay, with seats instead of names", async () => {
  const forgetful = await TestServer.start(0, ["--keep-finished-s", "1"]);
  const old = await botsMatch(forgetful.address, 20);
  const client = new FivesClient({ baseUrl: forgetful.address });
  await until("the match is archived", () => client.match(old).then(() => false, (error: unknown) => error instanceof Refused && error.reason === "MATCH_ARCHIVED"));
  const visitor = await at.people.person();
  await visitor.page.goto(`${forgetful.address}/replay/${old}`);
  await visitor.page.getByRole("heading", { name: "Replay of Seat 1, Seat 2" }).waitFor();
  await visitor.page.getByRole("button", { name: "To the end" }).click();
  await visitor.page.locator(".entries").getByText(/^The match is over: Seat \d/).waitFor();
  await visitor.leave(forgetful.address);
  await forgetful.end();
});
