/** A page in a real Chromium with the board in it, for tests that look at what is drawn. */

import { join } from "node:path";

import { build } from "esbuild";
import { type Browser, type Page, chromium } from "playwright-core";

const WEB = process.env.FIVES_WEB ?? ".";

/** Debian's own browser: the tests download none. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--force-color-profile=srgb", "--font-render-hinting=none", "--disable-lcd-text"],
  });
}

async function bundled(file: string): Promise<{ script: string; style: string }> {
  const result = await build({
    entryPoints: [join(WEB, file)],
    bundle: true,
    format: "iife",
    target: "es2022",
    outdir: "out",
    write: false,
    loader: { ".woff2": "dataurl" },
    logLevel: "warning",
  });
  const text = (end: string): string => result.outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  return { script: text(".js"), style: text(".css") };
}

/** What the page of the tests is asked for; `stage.ts` answers. */
export interface Scene {
  readonly plays: string;
  readonly width: number;
  readonly height: number;
  readonly names?: readonly string[];
  readonly partners?: boolean;
  readonly scores?: readonly number[];
  readonly tag?: string;
  readonly tracks?: boolean;
  readonly seats?: boolean;
  readonly onTurn?: number;
  /** What each seat holds, where that may be seen. */
  readonly hands?: readonly string[];
  readonly round?: number;
  /** A tile that the player has chosen, and the ends that it fits. */
  readonly chosen?: { readonly tile: string; readonly ends: readonly ("L" | "R" | "N" | "S")[] };
}

/** A page with an empty `<svg>` and a function `show(scene)` that draws into it. */
export async function stage(browser: Browser, look: { dark?: boolean; stillness?: boolean } = {}): Promise<Page> {
  const page = await browser.newPage({
    colorScheme: look.dark === true ? "dark" : "light",
    reducedMotion: look.stillness === true ? "reduce" : "no-preference",
  });
  const { script, style } = await bundled("tests/board/stage.ts");
  const back = look.dark === true ? "#121614" : "#ffffff";
  await page.setContent(
    `<!doctype html><style>html{color-scheme:${look.dark === true ? "dark" : "light"}}body{margin:0;background:${back}}${style}</style><svg id="board"></svg>`,
  );
  await page.addScriptTag({ content: script });
  await page.evaluate(() => Promise.all([document.fonts.load('400 13px "Atkinson Hyperlegible"', "ăA"), document.fonts.load('700 13px "Atkinson Hyperlegible"', "ăA")]));
  return page;
}

export async function show(page: Page, scene: Scene): Promise<void> {
  await page.setViewportSize({ width: scene.width, height: scene.height });
  await page.evaluate((wanted) => (globalThis as unknown as { show(scene: Scene): void }).show(wanted), scene);
}
