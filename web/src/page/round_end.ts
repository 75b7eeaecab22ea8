/**
 * The end of a round, as it lay on the table: the next round is dealt in the same moment, so the view that tells of the end no longer
 * shows it. What happened since the view before is played on from there.
 */

import type { BoardView } from "../board/view.js";
import type { Batch, Event } from "../gen/fives/v1/event_pb.js";
import { after } from "./board_events.js";

export interface RoundEnd {
  /** The last tile lies, and the hands lie open with what was left in them. */
  readonly board: BoardView;
  readonly event: Event;
}

/** The last end of a round that `batches` tell of, if the table before them was shown. */
export function roundEnd(before: BoardView | undefined, batches: readonly Batch[]): RoundEnd | undefined {
  const events = batches.flatMap((batch) => batch.events);
  const at = events.findLastIndex(({ kind }) => kind.case === "roundEnded");
  const event = events[at];
  if (!before || !event) return undefined;
  return { board: events.slice(0, at + 1).reduce(after, before), event };
}
