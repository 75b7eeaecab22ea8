/** Who shows a match to others: the hands are open, as long as they are no news to the players. */

import assert from "node:assert/strict";
import { type KeyObject, generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import type { Page } from "playwright-core";

import { TestServer, until } from "../server.js";
import { botsMatch } from "./bots.js";
import { People } from "./browser.js";

const ISSUER = "https://id.casters.example/";

let server: TestServer;
let people: People;
let folder: string;
let secret: KeyObject;

before(async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  secret = privateKey;
  folder = mkdtempSync(join(tmpdir(), "fives-issuers-"));
  const key = { ...publicKey.export({ format: "jwk" }), kid: "one", alg: "EdDSA", use: "sig" };
  writeFileSync(join(folder, "keys.json"), JSON.stringify({ keys: [key] }));
  writeFileSync(join(folder, "issuers.toml"), `[[issuer]]\niss = "${ISSUER}"\naudience = "fives"\njwks = "keys.json"\nscopes = ["caster"]\n`);
  [server, people] = await Promise.all([TestServer.start(200, ["--issuers", join(folder, "issuers.toml")]), People.come()]);
});
after(async () => {
  await people?.leave();
  await server?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** A token that opens the hands of one match, as its issuer would sign it. */
function casterToken(matchId: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const said = `${part({ alg: "EdDSA", kid: "one" })}.${part({ iss: ISSUER, aud: "fives", sub: "studio", exp, scope: "fives:caster", fives_match: matchId })}`;
  return `${said}.${sign(null, Buffer.from(said), secret).toString("base64url")}`;
}

/** How many tiles lie open in hands while a round is played; at its end all do, and a banner says so. */
function openTiles(page: Page): Promise<number> {
  return until("a round that is played", () =>
    page.evaluate(() => (document.querySelector(".banner:not([hidden])") ? undefined : document.querySelectorAll(".fives-hand .fives-tile").length)),
  );
}

test("a caster sees the hands of the moment that spectators see, and they see backs", async () => {
  const match = await botsMatch(server.address, 1000, 2, 1);
  const [caster, spectator] = await Promise.all([people.person(), people.person()]);
  await caster.page.goto(`${server.address}/watch/${match}?embed=1#cast=${casterToken(match)}`);
  await spectator.page.goto(`${server.address}/watch/${match}`);
  const hands = caster.page.locator(".fives-seat .fives-hand");
  await until("the hands lie open", async () => (await hands.locator(".fives-tile").count()) > 3);
  // All at one moment: tiles are drawn and laid meanwhile.
  const seats = await caster.page.evaluate(() =>
    Array.from(document.querySelectorAll(".fives-seat"), (seat) => [seat.querySelectorAll(".fives-hand .fives-tile").length, Number(seat.querySelector(".fives-seat-count")?.textContent), seat.querySelectorAll(".fives-back").length]),
  );
  assert.equal(seats.length, 2);
  for (const [open, count, backs] of seats) assert.deepEqual([open, backs], [count, 0]);
  const { page } = spectator;
  await page.locator(".fives-hand .fives-back").first().waitFor();
  await page.getByText("Shown 1 second late").waitFor();
  assert.equal(await openTiles(page), 0);
  for (const person of [caster, spectator]) await person.leave(server.address);
});

test("without a delay the hands stay closed, and the page says why; another match's token opens nothing", async () => {
  const match = await botsMatch(server.address, 1000);
  const caster = await people.person();
  const { page } = caster;
  await page.goto(`${server.address}/watch/${match}#cast=${casterToken(match)}`);
  await page.getByText("Hands are shown open only where spectators see the match with a delay.").waitFor();
  await page.locator(".fives-hand .fives-back").first().waitFor();
  assert.equal(await openTiles(page), 0);
  await page.goto("about:blank");
  await page.goto(`${server.address}/watch/${match}#cast=${casterToken("m-aaaaaaaaaaaaaaaaaaaaaaaaaa")}`);
  await page.getByRole("alert").getByText("This token does not open this match.").waitFor();
  assert.equal(await page.locator(".fives-hand").count(), 0);
  await caster.leave(server.address);
});
