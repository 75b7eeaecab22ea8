/** Growing waits, and calls that are sent again. */

import { Refused, isUnsure, mayPass, meaningOf } from "./refusal.js";

/** How long to wait and for how long to try. */
export interface Patience {
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** After this long what is known of the call is handed on: the last error, or that an earlier try is perhaps written. */
  readonly giveUpAfterMs: number;
}

export const PATIENCE: Patience = { firstWaitMs: 100, longestWaitMs: 2_000, giveUpAfterMs: 20_000 };

/** Waits, or until `signal`; then it returns at once. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}

/** Up to a half more or less, so that those whom one outage sent away do not come back all at once. */
export function jittered(ms: number): number {
  return ms * (0.5 + Math.random());
}

/**
 * Sends a call until there is an answer, or a refusal that no wait heals. A write brings its request id along, so that it acts once
 * however often it is sent.
 */
export async function retried<T>(call: () => Promise<T>, patience: Patience = PATIENCE): Promise<T> {
  const begun = Date.now();
  /** That a write is perhaps made: no later try that knows nothing of it makes this less true. */
  let unsure: unknown;
  for (let waitMs = patience.firstWaitMs; ; waitMs = Math.min(2 * waitMs, patience.longestWaitMs)) {
    try {
      return await call();
    } catch (error) {
      const meaning = meaningOf(error);
      if (!mayPass(meaning)) throw meaning;
      if (isUnsure(meaning)) unsure = meaning;
      if (Date.now() - begun > patience.giveUpAfterMs) throw unsure ?? meaning;
      const asked = meaning instanceof Refused ? meaning.retryAfterMs : undefined;
      await pause(Math.max(asked ?? 0, jittered(waitMs)));
    }
  }
}
