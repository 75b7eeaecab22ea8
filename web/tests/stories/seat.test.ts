/** At one's own seat: what cannot be played and why, what the service did in one's name, the clock, the way in. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { BotKind, FivesClient, MatchVisibility } from "../../src/client/index.js";
import { TestServer, until } from "../server.js";
import { stage } from "./stage.js";

const at = stage();
/** With bots that take their time: where one keeps a seat, others would play the match out before its player could come back. */
let slow: TestServer;

before(async () => {
  slow = await TestServer.start(500);
});
after(async () => {
  await slow?.end();
});

test("a tile that cannot be played says why, and what was drawn is told", async () => {
  const player = await at.people.person();
  const { page } = player;
  await player.signIn(`${at.server.address}/play`, "wanda");
  await player.openTable(1000, "Bots");
  const prompt = page.locator(".prompt");
  const seen = new Set<string>();
  await until("all of it has happened", async () => {
    if (!(await page.locator(".own-hand.on-turn").isVisible())) return false;
    const said = (await prompt.textContent()) ?? "";
    const drew = /^You drew (.*): play (\d-\d)\.$/.exec(said);
    if (drew?.[1] && drew[2]) {
      seen.add("drew");
      const marked = await page.locator(".tile.new").evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute("data-tile")));
      assert.deepEqual(marked.toSorted(), drew[1].split(", ").toSorted());
      assert.deepEqual(await page.locator(".tile.legal").evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute("data-tile"))), [drew[2]]);
    }
    const other = page.locator(".own-hand .tile:not(.legal)").first();
    if ((await other.count()) > 0) {
      const name = await other.getAttribute("data-tile");
      // It says that it is disabled, and answers all the same.
      await other.click({ force: true });
      // For some time after a round the board shows how that one ended: the ends are those of this round once it shows this one.
      if (!(await page.locator(".banner").isVisible())) {
        seen.add("does not fit");
        const ends = await page.locator(".fives-end title").allTextContents();
        const open = [...new Set(ends.map((end) => /: (\d)/.exec(end)?.[1]))].toSorted().join(", ");
        assert.equal(await prompt.textContent(), `${name} does not fit. Open: ${open}.`);
      }
    }
    await player.playOnce();
    return seen.size === 2;
  });
  await player.leave(at.server.address);
});

test("whoever is not on turn hears who is", async () => {
  const [vera, willi] = await Promise.all([at.people.person(), at.people.person()]);
  await vera.signIn(`${at.server.address}/play`, "vera");
  const match = await vera.openTable(1000, "People");
  await willi.signIn(`${at.server.address}/play?match=${match}`, "willi");
  for (const { page } of [vera, willi]) await page.locator(".own-hand .tile").first().waitFor();
  const waiting = (await vera.page.locator(".own-hand.on-turn").count()) > 0 ? willi : vera;
  const tile = waiting.page.locator(".own-hand .tile").first();
  assert.equal(await tile.evaluate((one) => getComputedStyle(one).opacity), "1", "who waits can read the own tiles");
  await tile.click({ force: true });
  assert.match((await waiting.page.locator(".prompt").textContent()) ?? "", waiting === vera ? /willi is on turn/ : /vera is on turn/);
  for (const person of [vera, willi]) await person.leave(at.server.address);
});

test("a chosen tile and the end under one's finger stay while the connection is lost and comes back", async () => {
  const player = await at.people.person();
  const { page, context } = player;
  await player.signIn(`${at.server.address}/play`, "xaver");
  await player.openTable(1000, "Bots");
  await page.locator(".own-hand.on-turn .tile.legal").first().click();
  await page.locator(".choice").first().focus();
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/PlayTile")) asked += 1;
  });
  await context.setOffline(true);
  await page.locator(".overlay").waitFor();
  await page.keyboard.press("Enter");
  await page.locator('.choice[aria-disabled="true"]').first().waitFor();
  await context.setOffline(false);
  await page.locator(".overlay").waitFor({ state: "hidden" });
  assert.equal(asked, 0, "nothing is played while nobody knows how the table stands");
  await page.keyboard.press("Enter");
  await page.locator(".entries li:has(code)", { hasText: "xaver" }).first().waitFor();
  assert.equal(asked, 1);
  await player.leave(at.server.address);
});

test("a private table is joined by its code, and by its link, which says whose it is", async () => {
  const [paula, quirin, rita, late] = await Promise.all([at.people.person(), at.people.person(), at.people.person(), at.people.person()]);
  await paula.signIn(`${at.server.address}/play`, "paula");
  await paula.page.getByLabel("Players").selectOption("3");
  await paula.page.getByLabel("Other seats").selectOption({ label: "People" });
  await paula.page.getByLabel("Who may join").selectOption({ label: "Only with the code" });
  await paula.page.getByRole("button", { name: "Open the table" }).click();
  const link = await paula.page.getByLabel("Link to this table").inputValue();
  const code = (await paula.page.locator(".code").textContent()) ?? "";
  assert.match(code, /^[0-9A-Z-]{6,}$/);
  assert.equal(await paula.page.locator(".board").isVisible(), false, "there is no table before the start");

  await quirin.signIn(`${at.server.address}/play`, "quirin");
  await quirin.page.getByLabel("Invite code").fill(code.toLowerCase());
  await quirin.page.getByRole("button", { name: "Join a table" }).click();
  await quirin.page.getByText("Waiting for 1 more player").waitFor();
  await paula.page.locator(".waiting-room li", { hasText: "quirin" }).waitFor();

  await rita.page.goto(link);
  await rita.page.getByText("You are invited to this table").waitFor();
  await rita.page.getByText("paula, quirin, Open seat").waitFor();
  await rita.signIn(link, "rita");
  for (const { page } of [paula, quirin, rita]) await page.locator(".own-hand .tile").first().waitFor();

  await late.page.goto(link);
  await late.page.getByRole("link", { name: "Watch" }).click();
  await late.page.locator(".fives-tracks", { hasText: "rita" }).waitFor();
  for (const person of [paula, quirin, rita, late]) await person.leave(at.server.address);
});

test("the clock runs for player and watcher; a bot keeps the seat of who misses turns, until it is taken back", async () => {
  const host = new FivesClient({ baseUrl: slow.address });
  await host.signIn("hugo");
  const { matchId } = await host.create({
    seats: [{ occupant: { case: "open", value: {} } }, { occupant: { case: "bot", value: BotKind.RANDOM } }],
    visibility: MatchVisibility.PUBLIC,
    spectatorsAllowed: true,
    options: { targetPoints: 1000 },
    turnClock: { turnTimeMs: 4_000, missedTurnsMax: 1 },
  });
  const [player, watcher] = await Promise.all([at.people.person(), at.people.person()]);
  await watcher.page.goto(`${slow.address}/watch/${matchId}`);
  await player.signIn(`${slow.address}/play?match=${matchId}`, "ulla");
  const countsDown = async (page: typeof player.page) => {
    const left = new Set<string>();
    await until("the clock counts down", async () => left.add((await page.locator(".clock").textContent()) ?? "").size > 2, 10_000);
    assert.ok([...left].some((text) => /^[1-4] seconds? left$/.test(text)), [...left].join());
  };
  await Promise.all([player, watcher].map(({ page }) => countsDown(page)));
  const { page } = player;
  await page.getByText("A bot plays for you until you take the seat back.").waitFor();
  await page.getByRole("button", { name: "Take the seat back" }).click();
  await page.getByText("ulla is back.").waitFor();
  await page.getByText("A bot plays for you until you take the seat back.").waitFor({ state: "hidden" });
  const own = page.locator(".entries li:has(code)", { hasText: "ulla" });
  const made = await own.count();
  await until("an own play counts again", async () => {
    await player.playOnce();
    return (await own.count()) > made;
  });
  assert.equal(await page.getByText("A bot plays for you until you take the seat back.").isVisible(), false, "it was no bot's");
  for (const person of [player, watcher]) await person.leave(slow.address);
});

test("the form asks for what matters, and a table for bots has a clock too", async () => {
  const player = await at.people.person();
  const { page } = player;
  await player.signIn(`${at.server.address}/play`, "fritz");
  const target = page.getByLabel("Points that win");
  await target.waitFor();
  assert.equal(await target.getAttribute("placeholder"), "250");
  await page.getByLabel("Players").selectOption("4");
  assert.equal(await target.getAttribute("placeholder"), "200");
  assert.equal(await page.getByLabel("Who may join").isVisible(), false);
  await page.getByLabel("Other seats").selectOption({ label: "People" });
  assert.equal(await page.getByLabel("Who may join").isVisible(), true);
  assert.equal(await page.getByLabel("How bots play").isVisible(), false);
  await page.getByLabel("Others may watch").uncheck();
  assert.equal(await page.getByLabel("Delay for spectators").isVisible(), false);
  await page.getByLabel("Others may watch").check();
  await page.getByLabel("Delay for spectators").selectOption({ label: "10 seconds" });
  const match = await player.openTable(100, "Bots");
  await page.locator(".clock", { hasText: "seconds left" }).waitFor();
  const view = await new FivesClient({ baseUrl: at.server.address }).match(match);
  assert.equal(view.turnClock?.turnTimeMs, 60_000);
  assert.equal(view.spectatorDelayS, 10);
  assert.equal(view.seats.length, 4);
  await player.leave(at.server.address);
});

test("the front page's first button leads to a table against a bot, and the way back to no other one", async () => {
  const player = await at.people.person();
  const { page } = player;
  await page.goto(at.server.address);
  await page.getByRole("link", { name: "Play against a bot" }).click();
  await page.getByLabel("Your name").fill("xenia");
  await page.getByRole("button", { name: "Sign in as a guest" }).click();
  await page.locator(".own-hand.on-turn").waitFor();
  assert.match(await player.scores(), /xenia.*Bot 2/s);
  const table = page.url();
  await page.goBack();
  await page.getByRole("button", { name: "Open the table" }).waitFor();
  const own = page.getByRole("link", { name: "Play", exact: true }).and(page.locator(".card a"));
  // The list comes after the form.
  await own.first().waitFor();
  assert.equal(await own.count(), 1, "one table of one's own");
  await page.goForward();
  await page.locator(".own-hand").waitFor();
  assert.equal(page.url(), table);
  await player.leave(at.server.address);
});

test("a seat that was given back in another tab is gone in this one, and says so", async () => {
  const player = await at.people.person();
  const { page, context } = player;
  await player.signIn(`${at.server.address}/play`, "yves");
  await player.openTable(200, "People");
  await page.getByRole("heading", { name: /Waiting for/ }).waitFor();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole("button", { name: "Stand up" }).click();
  await page.getByRole("link", { name: "Close" }).waitFor();
  await page.getByRole("heading", { name: /Waiting for/ }).waitFor({ state: "hidden" });
  assert.equal(await page.locator(".overlay:visible, .own-hand:visible").count(), 0);
  await player.leave(at.server.address);
});
