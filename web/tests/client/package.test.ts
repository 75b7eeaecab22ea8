/** The client as others install it: packed, put into an empty project, and used as its README says. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";

import { TestServer } from "../server.js";

const WEB = resolve(process.env.FIVES_WEB ?? ".");

let project: string;
let server: TestServer;

function run(program: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): string {
  return execFileSync(program, args, { cwd, encoding: "utf8", env: { ...process.env, ...env } });
}

before(async () => {
  project = mkdtempSync(join(tmpdir(), "fives-project-"));
  server = await TestServer.start();
});
after(async () => {
  rmSync(project, { recursive: true, force: true });
  await server?.end();
});

test("packed and installed, the client does what its README says, and its types hold", () => {
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--loglevel=error", "--pack-destination", project], WEB)) as [{ filename: string; files: { path: string }[] }];
  const parts = new Set(packed.files.map(({ path }) => path.split("/")[0]));
  assert.deepEqual([...parts].sort(), ["LICENSE", "README.md", "package", "package.json"], "nothing else goes out");

  // As `npm install` does it, but without a network: the archive, beside the packages that it needs.
  const installed = join(project, "node_modules", "fives-client");
  mkdirSync(installed, { recursive: true });
  run("tar", ["-xzf", packed.filename, "-C", installed, "--strip-components=1"], project);
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as { dependencies: Record<string, string> };
  for (const name of Object.keys(manifest.dependencies)) cpSync(join(WEB, "node_modules", name), join(project, "node_modules", name), { recursive: true });
  mkdirSync(join(project, "node_modules", "@types"));
  symlinkSync(join(WEB, "node_modules", "@types", "node"), join(project, "node_modules", "@types", "node"));

  const [, example = ""] = /```typescript\n(.*?)```/s.exec(readFileSync(join(installed, "README.md"), "utf8")) ?? [];
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "play.ts"), example);
  const strict = ["--strict", "--target", "es2023", "--lib", "es2023,dom", "--module", "nodenext", "--types", "node"];
  run(join(WEB, "node_modules/.bin/tsc"), [...strict, "play.ts"], project);
  const said = run(process.execPath, ["play.js"], project, { FIVES: server.address });
  assert.match(said, /^anna: the match is over, -?\d+ to -?\d+$/m);
});
