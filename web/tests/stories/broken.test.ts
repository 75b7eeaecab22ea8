/** Pages over a bad network: reloaded, offline, and with the server gone from under them. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { FivesClient } from "../../src/client/index.js";
import { TestServer, until } from "../server.js";
import { People, type Person, playOut } from "./browser.js";

let server: TestServer;
let people: People;

before(async () => {
  [server, people] = await Promise.all([TestServer.start(), People.come()]);
});
after(async () => {
  await people?.leave();
  await server?.end();
});

test("a match survives a reload, a lost network and a killed server", async () => {
  const anna = await people.person();
  await anna.signIn(`${server.address}/play`, "anna");
  const match = await anna.openTable(150, "Bots");
  const watcher = await people.person();
  await watcher.page.goto(`${server.address}/watch/${match}`);
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
      await server.kill();
      await overlay.waitFor();
      await until("the watcher's page says so too", async () => /lost/i.test((await watcher.page.locator(".connection").textContent()) ?? ""));
      await server.begin();
      await overlay.waitFor({ state: "hidden" });
      happened.push("restart");
    }
  });
  assert.deepEqual(happened, ["reload", "offline", "restart"]);
  await watcher.page.locator(".result").waitFor();
  const numbers = (scores: string) => scores.replaceAll(/[^-\d]+/g, " ");
  assert.equal(numbers(await watcher.scores()), numbers(await anna.scores()));
  await anna.leave(server.address);
  await watcher.leave(server.address);
});

test("a tab that nobody sees gives its connection back, and has missed nothing when it is seen again", async () => {
  const watching = new FivesClient({ baseUrl: server.address });
  const made = await people.person();
  await made.signIn(`${server.address}/play`, "berta");
  const match = await made.openTable(1000, "Bots");
  const watcher = await people.person();
  const { page } = watcher;
  await page.clock.install();
  await page.goto(`${server.address}/watch/${match}`);
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
  while ((await plays(made)).length < 3) await made.playOnce();
  await hide(false);
  await until("what was missed is told", async () => (await plays(watcher)).join() === (await plays(made)).join());
  for (const person of [made, watcher]) await person.leave(server.address);
});
