/** Pages over a bad network: reloaded, offline, and with the server gone from under them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { FivesClient } from "../../src/client/index.js";
import { until } from "../server.js";
import { type Person, playOut } from "./browser.js";
import { stage } from "./stage.js";

const at = stage();

test("a match survives a reload, a lost network and a killed server", async () => {
  const anna = await at.people.person();
  await anna.signIn(`${at.server.address}/play`, "anna");
  const match = await anna.openTable(150, "Bots");
  const watcher = await at.people.person();
  await watcher.page.goto(`${at.server.address}/watch/${match}`);
  const { page, context } = anna;
  const overlay = page.locator(".overlay");
  const happened: string[] = [];

  await playOut([anna], async (plays) => {
    if (plays === 2) {
      await page.reload();
      await page.locator(".own-hand").waitFor();
      happened.push("reload");
    } else if (plays === 4) {
      await context.setOffline(true);
      await overlay.waitFor();
      assert.match((await overlay.textContent()) ?? "", /offline/i);
      assert.equal(await page.locator(".own-hand .tile.legal").count(), 0, "nothing can be played while nobody knows how the table stands");
      await context.setOffline(false);
      await overlay.waitFor({ state: "hidden" });
      happened.push("offline");
    } else if (plays === 6) {
      await at.server.kill();
      await overlay.waitFor();
      await until("the watcher's page says so too", async () => /lost/i.test((await watcher.page.locator(".connection").textContent()) ?? ""));
      await at.server.begin();
      await overlay.waitFor({ state: "hidden" });
      happened.push("restart");
    }
  });
  assert.deepEqual(happened, ["reload", "offline", "restart"]);
  await watcher.page.locator(".result").waitFor();
  const numbers = (scores: string) => scores.replaceAll(/[^-\d]+/g, " ");
  assert.equal(numbers(await watcher.scores()), numbers(await anna.scores()));
  await anna.leave(at.server.address);
  await watcher.leave(at.server.address);
});

test("a tab that nobody sees gives its connection back, and has missed nothing when it is seen again", async () => {
  const watching = new FivesClient({ baseUrl: at.server.address });
  const made = await at.people.person();
  await made.signIn(`${at.server.address}/play`, "berta");
  const match = await made.openTable(1000, "Bots");
  const watcher = await at.people.person();
  const { page } = watcher;
  await page.clock.install();
  await page.goto(`${at.server.address}/watch/${match}`);
  await page.locator(".fives-seats").waitFor();
  const watchers = async () => (await watching.liveMatches()).find((live) => live.match?.matchId === match)?.watchers;
  await until("one watches", async () => (await watchers()) === 1);
  const hide = (hidden: boolean) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await hide(true);
  await page.clock.fastForward(21_000);
  await until("nobody watches", async () => (await watchers()) === 0);
  const plays = (who: Person) => who.page.locator(".entries li:has(code)").allTextContents();
  const seen = (await plays(made)).length;
  await until("three plays are missed", async () => {
    await made.playOnce();
    return (await plays(made)).length >= seen + 3;
  });
  await hide(false);
  // What was played before the watcher came is in the player's list alone.
  await until("what was missed is told", async () => (await plays(watcher)).slice(-3).join() === (await plays(made)).slice(-3).join());
  for (const person of [made, watcher]) await person.leave(at.server.address);
});

test("a page whose script is of another release comes again until both are of one", async () => {
  const visitor = await at.people.person();
  const { page } = visitor;
  let asked = 0;
  await page.route(`${at.server.address}/`, async (route) => {
    asked += 1;
    if (asked > 1) return route.continue();
    const answer = await route.fetch();
    return route.fulfill({ response: answer, body: (await answer.text()).replace(/app-\w+\.js/, "app-OLDER000.js") });
  });
  await page.goto(at.server.address);
  await page.getByRole("link", { name: "Play against a bot" }).waitFor();
  assert.equal(asked, 2);
  await visitor.leave(at.server.address);
});
