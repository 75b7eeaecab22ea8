/** A table in pages of others and in videos: on nothing, readable over anything, and as its address says. */

import assert from "node:assert/strict";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";

import type { BrowserContextOptions, Frame, Page } from "playwright-core";

import { FivesClient, MatchVisibility } from "../../src/client/index.js";
import { EmbedLook } from "../../src/page/embed_look.js";
import { TestServer, until } from "../server.js";
import { violations } from "./axe.js";
import { OPEN, SELF, botsMatch } from "./bots.js";
import type { Person } from "./browser.js";
import { stage } from "./stage.js";

const MAGENTA = [255, 0, 255, 255];

const at = stage(150);
/** Somebody's page, at another host, with a table in a frame. */
let around: Server;

before(async () => {
  around = createServer((request, answer) => {
    const said = new URL(request.url ?? "", "http://around.example").searchParams;
    const [page, frame, ground, source] = ["page", "frame", "ground", "source"].map((name) => said.get(name) ?? "");
    answer.setHeader("content-type", "text/html");
    answer.end(`<!doctype html><link rel="icon" href="data:,"><title>Around</title>
      <style>:root{color-scheme:${page || "normal"};background:${ground || "#f0f"}} body{margin:0} iframe{border:0;display:block;width:100vw;height:100vh;${frame}}</style>
      <iframe title="Fives" src="${source?.replaceAll("&", "&amp;")}"></iframe>`);
  });
  await new Promise<void>((listening) => around.listen(0, "127.0.0.1", listening));
});
after(() => {
  around?.close();
});

interface Around {
  /** The page's `color-scheme`. */
  readonly page?: string;
  /** Style of the frame in it. */
  readonly frame?: string;
  readonly ground?: string;
}

function otherSite(): string {
  return `http://localhost:${(around.address() as AddressInfo).port}`;
}

/** Opens a table in a frame of another site. */
async function framed(match: string, more: string, said: Around = {}, options: BrowserContextOptions = {}, server = at.server): Promise<{ person: Person; frame: Frame }> {
  const person = await at.people.person({ viewport: { width: 1280, height: 720 }, reducedMotion: "reduce", ...options });
  const source = `${server.address}/watch/${match}?embed=1${more}`;
  await person.page.goto(`${otherSite()}/?${new URLSearchParams({ ...said, source })}`);
  const frame = await until("the frame", () => person.page.frames().find((one) => one.url() === source));
  return { person, frame };
}

async function drawn(frame: Frame): Promise<void> {
  await frame.locator(".fives-laid").first().waitFor();
}

/** Red, green, blue and alpha of a pixel, as it is on the screen; or, as in OBS, without the white that the browser puts behind a page. */
async function pixel(page: Page, x: number, y: number, omitBackground = false): Promise<number[]> {
  const picture = await page.screenshot({ omitBackground, clip: { x, y, width: 1, height: 1 } });
  const reader = await page.context().browser()?.newPage();
  assert.ok(reader);
  const colours = await reader.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement("canvas").getContext("2d");
    canvas?.drawImage(image, 0, 0);
    return Array.from(canvas?.getImageData(0, 0, 1, 1).data ?? []);
  }, `data:image/png;base64,${picture.toString("base64")}`);
  await reader.close();
  return colours;
}

/** A corner of the table, where no tile comes. */
async function feltCorner(page: Page, frame: Frame, omitBackground = false): Promise<number[]> {
  const felt = await frame.locator(".fives-felt").boundingBox();
  assert.ok(felt);
  return pixel(page, Math.round(felt.x) + 14, Math.round(felt.y) + 14, omitBackground);
}

function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => (part <= 10 ? part / 3295 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((less, more) => less - more);
  return (light + 0.05) / (dark + 0.05);
}

test("what an address says wrong is as if it said nothing", () => {
  const of = (query: string) => ({ ...EmbedLook.of(new URLSearchParams(query)) });
  const plain = { scheme: "light", tracks: true, seats: true, felt: undefined, scale: 1 };
  assert.deepEqual(of(""), plain);
  const wrong = ["scheme=blue", "tracks=no", "seats=", "felt=red", "felt=12345", "felt=1234567", "felt=url(x)", "felt=%23fff;x:y", "scale=0.49", "scale=3.1", "scale=", "scale=NaN", "scale=-1", "scale=2px"];
  for (const query of wrong) assert.deepEqual(of(query), plain, query);
  assert.deepEqual(of("scheme=dark&tracks=0&seats=0&felt=17352acc&scale=1.5"), { scheme: "dark", tracks: false, seats: false, felt: "#17352acc", scale: 1.5 });
  for (const [said, felt] of [["%23abc", "#abc"], ["ABCD", "#ABCD"], ["012345", "#012345"]] as const) assert.equal(of(`felt=${said}`).felt, felt);
  for (const scale of [0.5, 3]) assert.equal(of(`scale=${scale}`).scale, scale);
});

test("in a frame of another site that lets it store nothing, the table is drawn on nothing, whatever colours the page has", async () => {
  const match = await botsMatch(at.server.address, 1000, 4);
  const cases: readonly [said: Around, more: string, options?: BrowserContextOptions][] = [
    [{}, ""],
    [{}, "&theme=dark"],
    [{}, "", { colorScheme: "dark" }],
    [{ page: "light" }, "&theme=dark", { colorScheme: "dark" }],
    // The page is dark: either its frame is not, as in the line to copy, or the address says so.
    [{ page: "dark", frame: "color-scheme:light" }, ""],
    [{ page: "dark", frame: "color-scheme:light" }, "&theme=dark", { colorScheme: "dark" }],
    [{ page: "dark" }, "&scheme=dark"],
    [{ page: "dark" }, "&scheme=dark&theme=light"],
    // The page is as the system is.
    [{ page: "light dark" }, "&scheme=auto"],
    [{ page: "light dark" }, "&scheme=auto", { colorScheme: "dark" }],
  ];
  for (const [said, more, options] of cases) {
    const { person, frame } = await framed(match, more, said, options);
    // As browsers do where other sites may keep nothing.
    await person.context.addInitScript(() => {
      const refused = { get: () => { throw new DOMException("no", "SecurityError"); } };
      if (window !== top) for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, refused);
    });
    await person.page.reload();
    const again = person.page.frames()[1] ?? frame;
    await drawn(again);
    await assert.rejects(again.evaluate(() => localStorage.length), "nothing can be stored");
    const which = JSON.stringify([said, more, options]);
    assert.deepEqual(await feltCorner(person.page, again), MAGENTA, which);
    assert.deepEqual(await pixel(person.page, 1, 400), MAGENTA, which);
    await person.leave(at.server.address, otherSite());
  }
});

test("on its own, as in OBS, it is transparent unless the address gives it a felt", async () => {
  const match = await botsMatch(at.server.address, 1000);
  const cases = [["", "light", 0], ["&theme=dark", "light", 0], ["", "dark", 0], ["&theme=dark", "dark", 0], ["&felt=17352a", "light", 255]] as const;
  for (const [more, colorScheme, opacity] of cases) {
    const person = await at.people.person({ colorScheme });
    await person.page.goto(`${at.server.address}/watch/${match}?embed=1${more}`);
    await person.page.locator(".fives-laid").first().waitFor();
    const [, , , alpha] = await feltCorner(person.page, person.page.mainFrame(), true);
    assert.equal(alpha, opacity, `${more} ${colorScheme}`);
    assert.deepEqual(await violations(person.page), []);
    await person.leave(at.server.address);
  }
});

test("names and scores can be read over black and over white, from where one watches a video", async () => {
  const match = await botsMatch(at.server.address, 1000, 4);
  for (const theme of ["light", "dark"]) {
    for (const ground of ["#000", "#fff"]) {
      const { person, frame } = await framed(match, `&theme=${theme}`, { ground });
      await drawn(frame);
      const plate = await pixel(person.page, 640, 16);
      for (const text of [".fives-lane-name", ".fives-lane-score", ".fives-total", ".fives-seat-name"]) {
        const fill = await frame.locator(text).first().evaluate((element) => getComputedStyle(element).fill);
        const found = contrast(plate, (fill.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number));
        assert.ok(found >= 7, `${text}, ${theme} over ${ground}: ${found.toFixed(1)}`);
      }
      await person.leave(at.server.address, otherSite());
    }
  }
});

test("it grows with the window, and as the address says; the table keeps its room", async () => {
  const match = await botsMatch(at.server.address, 1000, 4);
  /** How large names are written on the screen. */
  const letters: number[] = [];
  for (const [size, more] of [
    [{ width: 400, height: 300 }, ""],
    [{ width: 1280, height: 720 }, ""],
    [{ width: 1920, height: 1080 }, ""],
    [{ width: 1920, height: 1080 }, "&scale=0.5"],
    [{ width: 1920, height: 1080 }, "&scale=1.25"],
    [{ width: 1920, height: 1080 }, "&scale=3"],
  ] as const) {
    const { person, frame } = await framed(match, more, {}, { viewport: size });
    await drawn(frame);
    const name = frame.locator(".fives-lane-name").first();
    const place = await name.boundingBox();
    assert.ok(place && place.x >= 6, `${place?.x} from the edge`);
    // At the end of a round open hands take more room for a moment.
    await until(`the table has its room, ${size.height} high, ${more}`, async () => {
      const felt = await frame.locator(".fives-felt").boundingBox();
      return felt !== null && felt.height > 0.3 * size.height;
    });
    letters.push(await name.evaluate((text) => Number(text.getAttribute("font-size")) * ((text as SVGTextElement).getScreenCTM()?.a ?? 0)));
    await person.leave(at.server.address, otherSite());
  }
  const [small = 0, hd = 0, full = 0, half = 0, more = 0, most = 0] = letters;
  assert.ok(hd >= 18, `${hd} pixels at 1280 x 720`);
  for (const [one, times, other] of [[small, 1.5, hd], [hd, 1.5, full], [full, 0.5, half], [full, 1.25, more]] as const) {
    // The edge of the window takes a part of it.
    assert.ok(Math.abs(one * times - other) < 1, letters.join(" "));
  }
  assert.ok(most > more, letters.join(" "));
});

test("the address says what is shown, and in which colour; what it says wrong is ignored", async () => {
  const match = await botsMatch(at.server.address, 1000);
  const seen = async (more: string) => {
    const { person, frame } = await framed(match, more);
    await drawn(frame);
    const shown = {
      tracks: await frame.locator(".fives-tracks").isVisible(),
      seats: await frame.locator(".fives-seats").isVisible(),
      felt: await frame.locator(".fives-felt").evaluate((felt) => getComputedStyle(felt).fill),
      lang: await frame.locator("html").getAttribute("lang"),
      dark: (await frame.locator("body").evaluate((body) => getComputedStyle(body).colorScheme)) === "dark",
    };
    await person.leave(at.server.address, otherSite());
    return shown;
  };
  const plain = { tracks: true, seats: true, felt: "rgba(0, 0, 0, 0)", lang: "en", dark: false };
  assert.deepEqual(await seen(""), plain);
  assert.deepEqual(await seen("&tracks=0&seats=0&felt=ff000080&theme=dark&lang=ro"), { tracks: false, seats: false, felt: "rgba(255, 0, 0, 0.5)", lang: "ro", dark: true });
  assert.deepEqual(await seen("&tracks=no&seats=7&felt=red&scale=99&theme=pink&scheme=blue&lang=xx"), plain);
});

test("it says the round, who has won, and that the connection is lost", async (story) => {
  // Slow until the server is gone, so that the match is not over by then.
  const server = await TestServer.start(3_000);
  story.after(() => server.end());
  const match = await botsMatch(server.address, 60);
  const { person, frame } = await framed(match, "", {}, {}, server);
  await drawn(frame);
  await frame.getByText(/^Round \d+$/).waitFor();
  assert.equal(await frame.locator(".connection").isVisible(), false, "nothing is said of a connection that is there");
  await server.kill();
  await frame.getByText("Connection lost.").waitFor();
  assert.equal(await frame.locator(".fives-laid").first().isVisible(), true);
  server.botDelayMs = 50;
  await server.begin();
  await frame.locator(".connection").waitFor({ state: "hidden" });
  await frame.locator(".result").waitFor();
  assert.match((await frame.locator(".banner").textContent()) ?? "", /^Round \d+ is over: /);
  const [result, felt] = await Promise.all([".result", ".fives-felt"].map((part) => frame.locator(part).boundingBox()));
  assert.ok(result && felt && result.y > felt.y && result.y + result.height < felt.y + felt.height, "the winner stands over the table");
  await person.leave(server.address, otherSite());
});

test("what cannot be shown is said discreetly, and there is nothing to fill in", async () => {
  const client = new FivesClient({ baseUrl: at.server.address });
  await client.signIn("gustav");
  const secret = await client.create({ seats: [SELF, OPEN], visibility: MatchVisibility.PRIVATE, spectatorsAllowed: true });
  for (const [match, says] of [["m-nonsense", "There is no such table"], [secret.matchId, "This table is private"]] as const) {
    const { person, frame } = await framed(match, "");
    await frame.getByText(says).waitFor();
    assert.equal(await frame.locator("form").count(), 0);
    for (const [x, y] of [[640, 10], [10, 700], [640, 400]] as const) assert.deepEqual(await pixel(person.page, x, y), MAGENTA);
    await person.leave(at.server.address, otherSite());
  }
  const { person, frame } = await framed(secret.matchId, `&code=${secret.inviteCode}`);
  await frame.getByText("Waiting for players").waitFor();
  await person.leave(at.server.address, otherSite());
});

test("the page of a table gives what others need to show it", async () => {
  const match = await botsMatch(at.server.address, 1000);
  const person = await at.people.person({ permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = person;
  await page.goto(`${at.server.address}/watch/${match}`);
  await page.getByText("Share or embed").click();
  const values = await page.locator(".share input").evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
  const address = `${at.server.address}/watch/${match}`;
  assert.equal(values[0], address);
  assert.ok(values[1]?.startsWith(`<iframe src="${address}?embed=1"`));
  assert.equal(values[2], `${address}?embed=1`);
  await page.getByRole("button", { name: "Copy Source for OBS" }).click();
  await page.getByText("Copied").first().waitFor();
  assert.deepEqual(await violations(page), []);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${address}?embed=1`);
  await person.leave(at.server.address);
});
