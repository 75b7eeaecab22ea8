/** What a call ends with that is sent again and again in vain. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Code } from "@connectrpc/connect";

import { Unreachable } from "../../src/client/index.js";
import { type Reason, Refused } from "../../src/client/refusal.js";
import { retried } from "../../src/client/retry.js";

const PATIENCE = { firstWaitMs: 1, longestWaitMs: 1, giveUpAfterMs: 30 };

function refused(reason: Reason): Refused {
  return new Refused(reason, Code.Unavailable, "not now", {}, undefined, [], 1);
}

/** The error that comes of these first answers, where all others are lost, and are so until the time is over. */
async function endOf(...reasons: Reason[]): Promise<unknown> {
  const answers = reasons.map(refused);
  let nowMs = 0;
  const clock = mock.method(Date, "now", () => nowMs);
  const call = () => {
    const answer = answers.shift();
    if (!answer) nowMs += PATIENCE.giveUpAfterMs;
    return Promise.reject(answer ?? new Unreachable("no answer"));
  };
  return retried(call, PATIENCE)
    .then(assert.fail, (error: unknown) => error)
    .finally(() => clock.mock.restore());
}

test("what is perhaps written is told at the end, whatever became of later tries", async () => {
  const reasonOf = async (...reasons: Reason[]) => {
    const end = await endOf(...reasons);
    assert.ok(end instanceof Refused);
    return end.reason;
  };
  assert.equal(await reasonOf("COMMIT_UNCONFIRMED"), "COMMIT_UNCONFIRMED");
  assert.equal(await reasonOf("COMMIT_UNCONFIRMED", "STORE_UNAVAILABLE"), "COMMIT_UNCONFIRMED");
  assert.equal(await reasonOf("COMMIT_UNCONFIRMED", "DEADLINE"), "DEADLINE", "the newest of them");
  assert.ok((await endOf("STORE_UNAVAILABLE")) instanceof Unreachable, "the lost one is perhaps written, that one was not");
});

test("a refusal that no wait heals comes back at once", async () => {
  let tries = 0;
  const end = new Refused("NOT_YOUR_TURN", Code.FailedPrecondition, "not yet", {}, undefined, [], undefined);
  await assert.rejects(retried(() => (tries++, Promise.reject(end)), PATIENCE), end);
  assert.equal(tries, 1);
});
