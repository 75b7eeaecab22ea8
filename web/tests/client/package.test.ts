/** The client as others install it: packed, with its types, and imported by its name. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const WEB = process.env.FIVES_WEB ?? ".";

test("the package has what its manifest names, and works by its name", () => {
  const packed = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--loglevel=error"], { cwd: WEB, encoding: "utf8" })) as [{ files: { path: string }[] }];
  const files = packed[0].files.map(({ path }) => path);
  for (const file of ["package/client/index.js", "package/client/index.d.ts", "package/gen/fives/v1/types_pb.js"]) {
    assert.ok(files.includes(file) && existsSync(join(WEB, file)), file);
  }
  const script = 'import { FivesClient, MatchState, memory } from "fives-web/client"; new FivesClient({ baseUrl: "http://127.0.0.1:1", keep: memory() }); console.log(MatchState.LIVE);';
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: WEB, encoding: "utf8" });
  assert.equal(said.trim(), "2");
});
