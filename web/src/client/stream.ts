/** A stream of a match that outlives its connections: it resumes from the last cursor, and takes silence for a loss. */

import type { Batch } from "../gen/fives/v1/event_pb.js";
import type { OpenHands } from "../gen/fives/v1/cast_service_pb.js";
import type { TurnTimer } from "../gen/fives/v1/clock_pb.js";
import { type Cursor, MatchState } from "../gen/fives/v1/types_pb.js";
import type { MatchUpdate, SeatConnection } from "../gen/fives/v1/update_pb.js";
import type { MatchView } from "../gen/fives/v1/view_pb.js";
import { Refused, mayPass, meaningOf } from "./refusal.js";
import { jittered, pause } from "./retry.js";

/** What a stream tells. */
export type Told =
  /** A new picture. `batches` lead to it from the one before; there are none after a gap, and `reset` says that what was shown
   * before may not have happened. */
  | {
      readonly kind: "view";
      readonly view: MatchView;
      readonly batches: readonly Batch[];
      readonly fresh: boolean;
      readonly reset: boolean;
      /** What is open to a caster beside the view. */
      readonly open: OpenHands | undefined;
    }
  /** A sign of life. */
  | { readonly kind: "beat"; readonly turnTimer: TurnTimer | undefined; readonly connections: readonly SeatConnection[] }
  /** The connection is lost and will be tried again. */
  | { readonly kind: "lost"; readonly why: unknown };

/** Opens the stream after a cursor; from the beginning without one. */
export type Open = (after: Cursor | undefined, signal: AbortSignal) => AsyncIterable<{ readonly update?: MatchUpdate; readonly open?: OpenHands }>;

/** What is known of the network, as by a browser. Each call takes what to do then, and gives what takes that back. */
export interface Network {
  /** It is gone: a stream that says nothing any more need not be waited for. */
  lost(act: () => void): () => void;
  /** It is back: try again at once. */
  back(act: () => void): () => void;
}

export interface Persistence {
  /** A stream that brings nothing for this long is lost. */
  readonly silenceMaxMs: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  readonly network?: Network;
  readonly signal?: AbortSignal;
}

/** Follows to the end of the match, until `signal`, or until the service refuses for good. */
export async function* lasting(open: Open, persistence: Persistence): AsyncGenerator<Told> {
  const { signal } = persistence;
  let after: Cursor | undefined;
  let waitMs = persistence.firstWaitMs;
  while (!signal?.aborted) {
    let why: unknown = new Refused("DRAINING", 14, "the stream has ended", {}, undefined, [], undefined);
    let asked: number | undefined;
    const connection = new AbortController();
    const end = () => connection.abort();
    signal?.addEventListener("abort", end);
    const unheard = persistence.network?.lost(end);
    let silence = setTimeout(end, persistence.silenceMaxMs);
    try {
      for await (const { update, open: hands } of open(after, connection.signal)) {
        clearTimeout(silence);
        silence = setTimeout(end, persistence.silenceMaxMs);
        waitMs = persistence.firstWaitMs;
        if (update?.update.case === "reconnect") asked = update.update.value.afterMs;
        const told = toldBy(update, hands);
        if (!told) continue;
        if (told.kind === "view") after = told.view.cursor;
        yield told;
        if (told.kind === "view" && isOver(told.view)) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      why = meaningOf(error);
      if (!connection.signal.aborted && !mayPass(why)) throw why;
      if (why instanceof Refused) asked = why.retryAfterMs;
    } finally {
      clearTimeout(silence);
      unheard?.();
      signal?.removeEventListener("abort", end);
      connection.abort();
    }
    if (signal?.aborted) return;
    yield { kind: "lost", why };
    const wait = new AbortController();
    const hurry = () => wait.abort();
    signal?.addEventListener("abort", hurry);
    const calm = persistence.network?.back(hurry);
    await pause(Math.max(asked ?? 0, jittered(waitMs)), wait.signal);
    calm?.();
    signal?.removeEventListener("abort", hurry);
    waitMs = Math.min(2 * waitMs, persistence.longestWaitMs);
  }
}

function toldBy(update: MatchUpdate | undefined, open: OpenHands | undefined): Told | undefined {
  switch (update?.update.case) {
    case "snapshot": {
      const { view, reset } = update.update.value;
      return view && { kind: "view", view, batches: [], fresh: true, reset, open };
    }
    case "revisions": {
      const { view, batches } = update.update.value;
      return view && { kind: "view", view, batches, fresh: false, reset: false, open };
    }
    case "heartbeat":
      return { kind: "beat", turnTimer: update.update.value.turnTimer, connections: update.update.value.connections };
    default:
      return undefined;
  }
}

/** Whether nothing can follow. */
export function isOver(view: MatchView): boolean {
  return view.state === MatchState.FINISHED || view.state === MatchState.CLOSED;
}
