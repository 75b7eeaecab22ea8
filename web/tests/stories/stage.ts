/** What most stories begin with: a server and people at their browsers, for as long as the stories of a file last. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { TestServer } from "../server.js";
import { People } from "./browser.js";

export interface Stage {
  readonly server: TestServer;
  readonly people: People;
}

/** Sets it up before a file's stories, with bots that think for `botDelayMs`, and clears it away after them. `prepare` makes what all of them need. */
export function stage(botDelayMs = 0, prepare?: (server: TestServer) => Promise<void>): Stage {
  let server: TestServer | undefined;
  let people: People | undefined;
  before(async () => {
    // One after the other: whatever could be begun is ended, also if the other could not.
    server = await TestServer.start(botDelayMs);
    people = await People.come();
    await prepare?.(server);
  });
  after(async () => {
    await people?.leave();
    await server?.end();
  });
  return {
    get server() {
      assert.ok(server, "the stories have begun");
      return server;
    },
    get people() {
      assert.ok(people, "the stories have begun");
      return people;
    },
  };
}
