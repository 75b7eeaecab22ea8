/**
 * Fixed layouts as pictures. `FIVES_GOLDENS=write` writes them anew: look at each before it is committed.
 */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { type Scene, launch, show, stage } from "./browser.js";

const WEB = process.env.FIVES_WEB ?? ".";
const GOLDENS = join(WEB, "tests/board/goldens");

/** Pixels that may differ clearly, of a thousand: other builds of a browser smooth edges in other ways. */
const PER_MILLE = 3;

const FOUR = ["Anna", "Bela", "Carl", "Dora"];
/** All 28 tiles, with all four rows long. */
const ALL =
  "1-1 1-0@L 2-1@R 3-0@L 6-1@S 6-6@S 6-4@S 4-1@N 4-4@N 3-1@L 2-0@R 6-0@R 4-2@N 6-5@R 4-0@S 3-2@N 5-5@R 3-3@N 5-4@R 4-3@R 6-3@N 6-2@N 0-0@S 2-2@N 5-0@S 5-3@S 5-1@L 5-2@L";
/** All 28 tiles, one side of the line much longer than the other. */
const LOPSIDED =
  "3-2 4-2@R 3-0@L 4-0@L 4-3@L 6-3@L 6-6@L 6-2@L 4-4@R 6-0@S 1-0@S 2-2@L 4-1@R 6-5@N 5-0@N 6-1@S 0-0@N 3-1@R 3-3@R 6-4@S 5-2@L 5-5@L 5-1@L 2-0@N 5-4@S 5-3@S 2-1@N 1-1@N";

const SCENES: Readonly<Record<string, Scene & { readonly dark?: boolean }>> = {
  "empty-table": { plays: "", width: 414, height: 640 },
  "led-double": { plays: "5-5", width: 414, height: 640, scores: [10, 0] },
  "both-sides-covered": { plays: "6-6 6-3@R 6-2@L", width: 414, height: 640, onTurn: 1 },
  "both-arms": { plays: "1-1 1-5@L 1-6@R 1-4@N 1-3@S 3-5@S", width: 768, height: 600, names: FOUR, scores: [35, 20, 120, -45] },
  "doubles-at-every-tip": { plays: "1-1 1-2@L 1-3@R 1-4@N 1-5@S 2-2@L 3-3@R 4-4@N 5-5@S", width: 640, height: 640, dark: true },
  "bends-on-a-phone": {
    plays: "6-6 6-5@R 5-4@R 4-4@R 4-3@R 3-2@R 2-2@R 2-1@R 1-0@R 0-6@R 6-4@L 4-2@L 2-0@L 0-0@L 0-3@L 3-6@L 6-2@N 2-5@N",
    width: 390,
    height: 700,
    names: FOUR,
    partners: true,
    scores: [115, 90],
    tag: "id",
  },
  "open-hands": {
    plays: "6-6 6-3@R 6-2@L 3-3@R",
    width: 960,
    height: 540,
    names: FOUR,
    onTurn: 2,
    hands: ["6-5 4-1 2-0", "5-5 5-4 4-4 4-3 4-2 3-1 2-2 2-1 1-1 1-0 0-0", "6-4 5-3", ""],
  },
  "late-spinner": {
    plays: "6-5 5-4@R 4-3@R 3-2@R 2-1@R 1-0@R 0-6@R 6-4@R 4-2@R 2-0@R 0-0@R 0-5@R 0-4@N 4-1@N 0-3@S 3-6@S 6-1@L",
    width: 390,
    height: 560,
    seats: false,
    tag: "lb",
  },
  "28-tiles-wide": { plays: ALL, width: 1280, height: 720, names: FOUR, scores: [195, 60, -65, 140] },
  "28-tiles-on-a-phone": { plays: ALL, width: 390, height: 780, names: FOUR, scores: [195, 60, -65, 140], dark: true },
  "28-tiles-lopsided": {
    plays: LOPSIDED,
    width: 1000,
    height: 620,
    names: ["<img src=x onerror=alert(1)>", "Ștefania Brătescu-Ionescu", "{name}", "Wilhelmina Maximiliane Schmit"],
    partners: true,
    scores: [-120, 215],
    onTurn: 2,
    tag: "ro",
  },
};

let browser: Browser;
const pages: Partial<Record<"light" | "dark", Page>> = {};

before(async () => {
  browser = await launch();
  pages.light = await stage(browser, { stillness: true });
  pages.dark = await stage(browser, { dark: true, stillness: true });
});

after(() => browser.close());

/** How many pixels of two pictures differ clearly, and how many there are; compared by the browser, which can read them. */
async function difference(page: Page, one: Buffer, other: Buffer): Promise<{ differing: number; all: number }> {
  return page.evaluate(
    async ([first, second]) => {
      const read = async (data: string): Promise<ImageData> => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d");
        if (!context) throw new Error("no canvas");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
      };
      const [mine, theirs] = [await read(first), await read(second)];
      const all = mine.width * mine.height;
      if (mine.width !== theirs.width || mine.height !== theirs.height) return { differing: all, all };
      let differing = 0;
      for (let at = 0; at < mine.data.length; at += 4) {
        const apart = [0, 1, 2].map((channel) => Math.abs((mine.data[at + channel] ?? 0) - (theirs.data[at + channel] ?? 0)));
        if (Math.max(...apart) > 40) differing += 1;
      }
      return { differing, all };
    },
    [one.toString("base64"), other.toString("base64")] as const,
  );
}

for (const [name, { dark, ...scene }] of Object.entries(SCENES)) {
  test(`the picture of ${name} is the golden one`, async () => {
    const page = pages[dark === true ? "dark" : "light"];
    assert.ok(page);
    // A fresh root: what was drawn before has no part in the picture.
    await page.evaluate(() => {
      const board = document.querySelector("#board");
      board?.replaceWith(Object.assign(document.createElementNS("http://www.w3.org/2000/svg", "svg"), { id: "board" }));
    });
    await show(page, scene);
    const picture = await page.locator("#board").screenshot({ animations: "disabled" });
    const file = join(GOLDENS, `${name}.png`);
    if (process.env.FIVES_GOLDENS === "write") {
      mkdirSync(GOLDENS, { recursive: true });
      writeFileSync(file, picture);
      return;
    }
    assert.ok(existsSync(file), `${file} is missing: write it with FIVES_GOLDENS=write, and look at it`);
    const { differing, all } = await difference(page, picture, readFileSync(file));
    if (differing * 1000 > all * PER_MILLE) {
      const seen = join(WEB, "node_modules", `${name}.seen.png`);
      writeFileSync(seen, picture);
      assert.fail(`${differing} of ${all} pixels differ; what was drawn is in ${seen}`);
    }
  });
}
