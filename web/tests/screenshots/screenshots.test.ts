/** The pictures of docs/screenshots: `make web-screenshots`. To be looked at before they are committed; nothing compares them. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { TestServer, until } from "../server.js";
import { People } from "../stories/browser.js";

test("phone, desktop and dark", async () => {
  const folder = process.env.FIVES_SCREENSHOTS ?? "docs/screenshots";
  mkdirSync(folder, { recursive: true });
  const [server, people] = await Promise.all([TestServer.start(150), People.come()]);
  const still = { reducedMotion: "reduce" } as const;

  const desktop = await people.person({ ...still, viewport: { width: 1280, height: 800 } });
  await desktop.page.goto(server.address);
  await until("a table with some tiles", async () => (await desktop.page.locator(".featured .fives-laid").count()) > 11);
  await desktop.page.screenshot({ path: join(folder, "desktop.png") });

  const dark = await people.person({ ...still, colorScheme: "dark", viewport: { width: 1280, height: 800 } });
  const match = (await (await fetch(`${server.address}/house-table`, { method: "POST" })).text()).trim();
  await dark.page.goto(`${server.address}/watch/${match}`);
  await until("a table with some tiles", async () => (await dark.page.locator(".fives-laid").count()) > 11);
  await dark.page.screenshot({ path: join(folder, "dark.png") });

  const phone = await people.person({ ...still, viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
  await phone.signIn(`${server.address}/play`, "Anna");
  await phone.openTable(200, "Bots");
  await until("a table with some tiles", async () => {
    if ((await phone.page.locator(".fives-laid").count()) > 8) return true;
    await phone.playOnce();
    return false;
  });
  await phone.page.locator(".own-hand .tile.legal").first().click();
  await phone.page.screenshot({ path: join(folder, "phone.png") });
  await people.leave();
  await server.end();
});
