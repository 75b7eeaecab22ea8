/**
 * A stream for as long as somebody looks. A tab that nobody sees gives its connection back: browsers have only a few of them for a
 * server without TLS, and the tabs that are looked at need them. What it has missed comes once it is seen again.
 */

import type { Cursor, StreamOptions, Told } from "../client/index.js";

/** Who looks elsewhere for a moment costs no new stream. */
const UNSEEN_MS = 20_000;

/** Calls `act` once the page was hidden for a while; gives what takes that back. */
function onceUnseen(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(act, UNSEEN_MS);
  };
  document.addEventListener("visibilitychange", changed);
  changed();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", changed);
  };
}

/** Waits until the page is seen. */
export async function seenAgain(): Promise<void> {
  while (document.hidden) await new Promise((changed) => document.addEventListener("visibilitychange", changed, { once: true }));
}

/** What the stream tells that `open` opens, to its end or until `signal`. */
export async function* whileVisible(open: (options: StreamOptions) => AsyncIterable<Told>, signal?: AbortSignal): AsyncGenerator<Told> {
  let after: Cursor | undefined;
  for (;;) {
    const unseen = new AbortController();
    const takeBack = onceUnseen(() => unseen.abort());
    try {
      const either = AbortSignal.any(signal ? [signal, unseen.signal] : [unseen.signal]);
      for await (const told of open({ signal: either, ...(after && { after }) })) {
        if (told.kind === "view") after = told.view.cursor;
        yield told;
      }
    } finally {
      takeBack();
    }
    if (!unseen.signal.aborted || signal?.aborted) return;
    await seenAgain();
  }
}
