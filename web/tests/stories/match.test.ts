/** A whole match in three browsers. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { until } from "../server.js";
import { playOut } from "./browser.js";
import { stage } from "./stage.js";

/** As long as a name can be, and markup all through. */
const HOSTILE = "<img src=x onerror=alert(1)>";

const at = stage();

test("two play a whole match, a third watches, and a name that looks like markup is a name", async () => {
  const [anna, mallory, carla] = await Promise.all([at.people.person(), at.people.person(), at.people.person()]);
  await anna.signIn(`${at.server.address}/play`, "anna");
  const match = await anna.openTable(60, "People");
  const link = await anna.page.getByLabel("Link to this table").inputValue();
  assert.equal(link, `${at.server.address}/play?match=${match}`);
  await mallory.signIn(link, HOSTILE);
  await mallory.page.locator(".own-hand").waitFor();
  await carla.page.goto(`${at.server.address}/watch/${match}`);
  await carla.page.getByRole("heading", { name: HOSTILE }).waitFor({ state: "attached" });

  const plays = await playOut([anna, mallory]);
  assert.ok(plays > 4, `${plays} plays`);
  await carla.page.locator(".result").waitFor();
  for (const { page } of [anna, mallory, carla]) {
    assert.equal(await page.locator("img").count(), 0);
    await until("the name is in the list of plays", async () => (await page.locator(".entries").textContent())?.includes(HOSTILE));
  }
  const seen = await Promise.all([anna, mallory, carla].map((person) => person.scores()));
  assert.equal(seen[0]?.replaceAll(/[^-\d]+/g, " "), seen[2]?.replaceAll(/[^-\d]+/g, " "), "the watcher's scores are the players'");
  assert.equal(seen[1]?.replaceAll(/[^-\d]+/g, " "), seen[2]?.replaceAll(/[^-\d]+/g, " "));
  const verdicts = await Promise.all([anna, mallory].map(({ page }) => page.locator(".result").textContent()));
  assert.equal(verdicts.filter((verdict) => verdict === "You win!").length, 1, verdicts.join(" / "));

  // The watcher goes on to the replay, and to its end.
  await carla.page.getByRole("link", { name: "Replay" }).click();
  await carla.page.getByRole("button", { name: "To the end" }).click();
  await carla.page.locator(".entries").getByText("The match is over:", { exact: false }).waitFor();
  assert.equal((await carla.scores()).replaceAll(/[^-\d]+/g, " "), seen[2]?.replaceAll(/[^-\d]+/g, " "), "the replay ends where the match did");

  // Both want to play again: the second yes begins the next match for both.
  await anna.page.getByRole("button", { name: "Play again" }).click();
  await anna.page.getByText("Waiting for the others to say yes.").waitFor();
  await mallory.page.getByText("The others want to play again.").waitFor();
  await mallory.page.getByRole("button", { name: "Play again" }).click();
  for (const { page } of [anna, mallory]) await page.waitForURL((url) => url.searchParams.get("match") !== match && url.searchParams.has("match"));
  assert.equal(new URL(anna.page.url()).search, new URL(mallory.page.url()).search);

  // Every deal is proved, against what this browser was shown while they played.
  await carla.page.getByRole("button", { name: "Check now" }).click();
  await carla.page.getByText("All deals are proved.").waitFor();
  assert.ok((await carla.page.locator(".proof li").count()) >= 7);
  await carla.page.getByText("Commitments and entropy are those that this page was shown").waitFor();
  for (const person of [anna, mallory, carla]) await person.leave(at.server.address);
});

test("who has gone away is said to be away, to players and watchers", async () => {
  const [emil, flora, gina] = await Promise.all([at.people.person(), at.people.person(), at.people.person()]);
  await emil.signIn(`${at.server.address}/play`, "emil");
  const match = await emil.openTable(1000, "People");
  await flora.signIn(`${at.server.address}/play?match=${match}`, "flora");
  await flora.page.locator(".own-hand").waitFor();
  await gina.page.goto(`${at.server.address}/watch/${match}`);
  await gina.page.getByRole("heading", { name: "flora" }).waitFor({ state: "attached" });
  await flora.page.close();
  for (const { page } of [emil, gina]) await page.getByText("Away: flora").waitFor();
  const back = await flora.context.newPage();
  await back.goto(`${at.server.address}/play?match=${match}`);
  for (const { page } of [emil, gina]) await page.getByText("Away: flora").waitFor({ state: "hidden" });
});

test("a tile is dragged to an end, and played by keys", async () => {
  const dora = await at.people.person();
  await dora.signIn(`${at.server.address}/play`, "dora");
  await dora.openTable(1000, "Bots");
  const { page } = dora;
  const mine = () => page.locator(".own-hand .tile");
  const onTurn = () => page.locator(".own-hand.on-turn").waitFor();
  await onTurn();
  // A lead or a first answer: wherever it is dropped on the board, it is chosen, and a tile with one end is played.
  const before = await mine().count();
  const box = await page.locator(".own-hand .tile.legal").first().boundingBox();
  const board = await page.locator(".board").boundingBox();
  assert.ok(box && board);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(board.x + board.width / 2, board.y + board.height / 2, { steps: 8 });
  const light = page.locator(".light").first();
  if ((await light.count()) > 0) {
    const lit = await light.boundingBox();
    assert.ok(lit);
    await page.mouse.move(lit.x + lit.width / 2, lit.y + lit.height / 2, { steps: 4 });
  }
  await page.mouse.up();
  await until("the tile has left the hand, or draws have come", async () => (await mine().count()) !== before || (await page.locator(".entries").textContent())?.includes("dora"));
  await onTurn();
  const plays = await page.locator(".entries li", { hasText: "dora" }).count();
  await page.locator(".own-hand .tile.legal").first().focus();
  await page.keyboard.press("Enter");
  const end = await page.locator(".own-hand .choice").first().getAttribute("data-end");
  await page.keyboard.press(end === "lead" ? "Enter" : (end ?? ""));
  await until("the play stands in the list", async () => (await page.locator(".entries li", { hasText: "dora" }).count()) > plays);
  await dora.leave(at.server.address);
});
