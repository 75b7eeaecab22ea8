// Bundles the node tests (tests/<part>/*.test.ts) and runs them with node's own runner: `node tests/run_node.mjs [part …]`.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
// Pictures are taken on demand, `screenshots`, and so are `measures`.
const parts = wanted.length > 0 ? wanted : ["board", "words", "verify", "client", "stories"];
const tests = parts.flatMap((part) =>
  readdirSync(join(here, part))
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join(here, part, file)),
);

// In node_modules, so that the tests find their packages.
const out = mkdtempSync(join(dirname(here), "node_modules", ".tests-"));
try {
  await build({
    entryPoints: tests,
    outdir: out,
    outbase: here,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    packages: "external",
    logLevel: "warning",
  });
  const files = tests.map((file) => join(out, file.slice(here.length + 1).replace(/\.ts$/, ".mjs")));
  const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", "--test-concurrency=1", ...files], {
    stdio: "inherit",
    cwd: dirname(here),
    // Where tests find their data.
    env: { ...process.env, FIVES_WEB: dirname(here) },
  });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(out, { recursive: true });
}
