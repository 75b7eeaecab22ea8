/** What somebody sees who comes by: life at once, in one's own language, with whatever one sees or hears with. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { BotKind, FivesClient, MatchVisibility } from "../../src/client/index.js";
import { TestServer, until } from "../server.js";
import { violations } from "./axe.js";
import { stage } from "./stage.js";

const at = stage(150);

test("a fresh server shows a table that is being played", async () => {
  const visitor = await at.people.person();
  const { page } = visitor;
  await page.goto(at.server.address);
  await page.locator(".featured .fives-laid").first().waitFor();
  const first = await page.locator(".entries li").count();
  await until("the table moves on", async () => (await page.locator(".entries li").count()) > first);
  await page.getByRole("link", { name: "Playing now" }).click();
  await page.waitForURL(/\/watch\/m-/);
  await visitor.leave(at.server.address);
});

test("a table that somebody has walked away from gives way to one on which something happens", async () => {
  const fresh = await TestServer.start(150);
  const [anna, visitor] = await Promise.all([at.people.person(), at.people.person()]);
  await anna.signIn(`${fresh.address}/play`, "anna");
  await anna.openTable(1000, "Bots");
  await anna.page.locator(".own-hand .tile.legal").first().waitFor();
  const { page } = visitor;
  await page.clock.install();
  await page.goto(fresh.address);
  const tracks = page.locator(".featured .fives-tracks");
  await until("anna's table is shown", async () => (await tracks.textContent())?.includes("anna"));
  await page.clock.fastForward(21_000);
  await until("four bots are shown", async () => (await tracks.textContent())?.includes("Bot 4"));
  await page.getByRole("link", { name: /^Watch anna/ }).waitFor();
  for (const person of [anna, visitor]) await person.leave(fresh.address);
  await fresh.end();
});

test("the end of a round is shown, with what was left in the hands", async () => {
  const visitor = await at.people.person();
  const { page } = visitor;
  await page.goto(at.server.address);
  const banner = page.locator(".banner");
  await banner.waitFor();
  assert.match((await banner.textContent()) ?? "", /^Round \d+ is over: .*Bot \d/);
  assert.ok((await page.locator(".fives-hand .fives-tile").count()) > 0, "hands lie open");
  assert.equal(await page.locator(".fives-hand .fives-back").count(), 0);
  await page.locator(".board").click();
  await banner.waitFor({ state: "hidden" });
  await page.locator(".fives-hand .fives-back").first().waitFor();
  await visitor.leave(at.server.address);
});

test("no page has a fault that axe finds, light or dark, wide or narrow", async () => {
  for (const look of [
    { colorScheme: "light", viewport: { width: 1280, height: 800 } },
    { colorScheme: "dark", viewport: { width: 390, height: 844 } },
  ] as const) {
    const another = new FivesClient({ baseUrl: at.server.address });
    await another.signIn("gustav");
    const bot = { occupant: { case: "bot", value: BotKind.RANDOM } } as const;
    await another.create({ seats: [bot, bot], visibility: MatchVisibility.PUBLIC, spectatorsAllowed: true, options: { targetPoints: 1000 } });
    const visitor = await at.people.person({ ...look, reducedMotion: "reduce" });
    const { page } = visitor;
    const found: Record<string, string[]> = {};
    await page.goto(at.server.address);
    await page.locator(".featured .fives-laid").first().waitFor();
    await page.getByRole("link", { name: /^Watch / }).first().waitFor();
    found.home = await violations(page);
    await page.getByRole("link", { name: /^Watch / }).first().click();
    await page.locator(".fives-laid").first().waitFor();
    found.watch = await violations(page);
    await page.goto(`${at.server.address}/play`);
    found.signIn = await violations(page);
    await visitor.signIn(`${at.server.address}/play`, "axel");
    await page.getByRole("button", { name: "Open the table" }).waitFor();
    found.lobby = await violations(page);
    await visitor.openTable(1000, "Bots");
    await page.locator(".own-hand .tile.legal").first().click();
    await page.locator(".own-hand .choice").first().waitFor();
    found.table = await violations(page);
    await page.getByRole("button", { name: "Give up" }).click();
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByRole("link", { name: "Replay" }).click();
    await page.getByRole("slider").waitFor();
    found.replay = await violations(page);
    for (const [name, faults] of Object.entries(found)) assert.deepEqual(faults, [], `${name}, ${look.colorScheme}`);
    await visitor.leave(at.server.address);
  }
});

test("each language is spoken, and chosen by the browser or by hand", async () => {
  const visitor = await at.people.person({ locale: "ro-RO" });
  const { page } = visitor;
  await page.goto(at.server.address);
  await until("Romanian", async () => (await page.locator("html").getAttribute("lang")) === "ro");
  for (const tag of ["id", "lb", "en"]) {
    await page.locator(".settings select").first().selectOption(tag);
    await until(tag, async () => (await page.locator("html").getAttribute("lang")) === tag);
  }
  await visitor.leave(at.server.address);
});

test("an embedded table is only the table, on nothing", async () => {
  const visitor = await at.people.person();
  const { page } = visitor;
  const id = await (await fetch(`${at.server.address}/house-table`, { method: "POST" })).text();
  await page.goto(`${at.server.address}/watch/${id}?embed=1`);
  await page.locator(".fives-laid").first().waitFor();
  assert.equal(await page.locator("header, .plays:visible").count(), 0);
  const ground = await page.evaluate(() => [document.documentElement, document.body].map((part) => getComputedStyle(part).backgroundColor));
  assert.deepEqual(ground, ["rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"]);
  await visitor.leave(at.server.address);
});
