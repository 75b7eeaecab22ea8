/** People at their browsers: each has a profile of their own, and whatever goes wrong in a page fails the story. */

import assert from "node:assert/strict";

import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from "playwright-core";

import { DEADLINE_MS } from "../server.js";

/** Debian's Chromium. */
const PROGRAM = process.env.FIVES_CHROMIUM ?? "/usr/bin/chromium";

/** What a lost connection makes the browser write, whatever the page does. */
const NETWORK = /Failed to load resource|net::ERR_/;

export class People {
  private constructor(readonly browser: Browser) {}

  static async come(): Promise<People> {
    return new People(await chromium.launch({ executablePath: PROGRAM, args: ["--no-sandbox", "--js-flags=--expose-gc"] }));
  }

  async person(options: BrowserContextOptions = {}): Promise<Person> {
    const context = await this.browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(DEADLINE_MS);
    return new Person(context, await context.newPage());
  }

  leave(): Promise<void> {
    return this.browser.close();
  }
}

export class Person {
  private readonly faults: string[] = [];
  private readonly hosts = new Set<string>();

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on("pageerror", (error) => this.faults.push(error.message));
    page.on("dialog", (dialog) => {
      this.faults.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("console", (message) => {
      if (message.type() === "error" && !NETWORK.test(message.text())) this.faults.push(message.text());
    });
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol !== "data:") this.hosts.add(host);
    });
  }

  /** Signs in at `/play` or at a link to a table. */
  async signIn(address: string, name: string): Promise<void> {
    await this.page.goto(address);
    await this.page.getByLabel("Your name").fill(name);
    await this.page.getByRole("button", { name: "Sign in as a guest" }).click();
  }

  /** Opens a table from the form; the address of the match. */
  async openTable(target: number, opponents: "Bots" | "People"): Promise<string> {
    const { page } = this;
    await page.getByLabel("Other seats").selectOption({ label: opponents });
    await page.getByLabel("Points that win").fill(String(target));
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.waitForURL(/match=m-/);
    return new URL(page.url()).searchParams.get("match") ?? "";
  }

  /** Makes one play if it is this person's turn, as a person does: a tile, then an end. Whether both were there to be clicked. */
  async playOnce(): Promise<boolean> {
    const { page } = this;
    const tile = page.locator(".own-hand .tile.legal").first();
    if ((await tile.count()) === 0) return false;
    const end = page.locator(".own-hand .choice").first();
    // The table may move on between two clicks (a clock, a lost connection): then there is nothing to click any more.
    return tile
      .click({ timeout: 2_000 })
      .then(() => end.click({ timeout: 2_000 }))
      .then(() => true, () => false);
  }

  /** What stands behind the names on the score tracks. */
  async scores(): Promise<string> {
    return (await this.page.locator(".fives-tracks").textContent()) ?? "";
  }

  isOver(): Promise<boolean> {
    return this.page.locator(".result").isVisible();
  }

  /** Ends with what went wrong, if anything did; and nobody but the service, and the page around it, was asked for anything. */
  async leave(...services: readonly string[]): Promise<void> {
    await this.context.close();
    assert.deepEqual(this.faults, []);
    assert.deepEqual([...this.hosts].sort(), services.map((service) => new URL(service).host).sort());
  }
}

/** Plays until the result stands on the page. */
export async function playOut(people: readonly Person[], meanwhile: (plays: number) => Promise<void> = () => Promise.resolve()): Promise<number> {
  let plays = 0;
  const deadline = Date.now() + 4 * DEADLINE_MS;
  for (;;) {
    for (const person of people) {
      if (await person.playOnce()) await meanwhile(++plays);
    }
    const over = await Promise.all(people.map((person) => person.isOver()));
    if (over.every(Boolean)) return plays;
    if (Date.now() > deadline) throw new Error(`the match is not over after ${plays} plays`);
  }
}
