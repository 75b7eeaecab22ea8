/**
 * Bundles the pages into a folder: `node build/bundle.mjs [FOLDER]`, `dist` by default. The same sources and packages give the same
 * bytes: `tools/web-check` and `make check` rely on it. Files are not compressed here; the server's build does that.
 */

import { readFileSync } from "node:fs";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = resolve(fileURLToPath(new URL("..", import.meta.url)));
const folder = resolve(process.argv[2] ?? join(web, "dist"));

await mkdir(folder, { recursive: true });
await Promise.all((await readdir(folder)).map((name) => rm(join(folder, name), { recursive: true })));

const bundled = await build({
  absWorkingDir: web,
  entryPoints: { app: "src/page/main.ts", style: "src/page/style.css" },
  outdir: folder,
  entryNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file" },
  publicPath: "/assets/",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "eof",
  charset: "utf8",
  metafile: true,
});

const names = Object.keys(bundled.metafile.outputs).map((name) => basename(name));
const named = (pattern) => {
  const found = names.find((name) => pattern.test(name));
  if (!found) throw new Error(`nothing was made that looks like ${pattern}`);
  return `/assets/${found}`;
};
// The style sheet goes into the page, so that something is drawn after the first answer; its hash in the server's policy allows it.
const style = join(folder, basename(named(/^style-.*\.css$/)));
const page = (await readFile(join(web, "src/page/index.html"), "utf8"))
  .replace("{{style}}", () => readFileSync(style, "utf8").trim())
  .replace("{{app}}", named(/^app-.*\.js$/));
await rm(style);
await writeFile(join(folder, "index.html"), page);
// What is put over a video must not show anything else before its script runs.
const embedded = page.replace("<html ", '<html class="embedded" ').replace(/<body>.*<\/body>/s, "<body></body>");
await writeFile(join(folder, "embed.html"), embedded);
