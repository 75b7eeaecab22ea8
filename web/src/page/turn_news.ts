/** What the service did in the player's name since the last play of the own: it draws and passes by itself. */

import { type Tile, isSame, tileName } from "../board/view.js";
import type { Batch } from "../gen/fives/v1/event_pb.js";
import { tileOf } from "./board_view.js";
import { text } from "./language.js";

export class TurnNews {
  private drawn: readonly Tile[] = [];
  private hasPassed = false;

  /** Batches, in order, as the player of a seat sees them. */
  told(batches: readonly Batch[], own: number | undefined): void {
    for (const { kind } of batches.flatMap(({ events }) => events)) {
      if (kind.case === "roundStarted" || (kind.case === "tilePlayed" && kind.value.seat === own)) {
        this.drawn = [];
        this.hasPassed = false;
      } else if (kind.case === "tilesDrawn" && kind.value.seat === own) {
        this.drawn = kind.value.tiles.map(tileOf);
      } else if (kind.case === "turnPassed" && kind.value.seat === own) {
        this.hasPassed = true;
      }
    }
  }

  isNew(tile: Tile): boolean {
    return this.drawn.some((other) => isSame(tile, other));
  }

  /** In words; `only` is the one tile that can be played now, if it is one. */
  inWords(only: Tile | undefined): string {
    if (this.drawn.length === 0) return this.hasPassed ? text("passed") : "";
    const tiles = this.drawn.map(tileName).join(", ");
    if (this.hasPassed) return text("drewPassed", { tiles });
    return only && this.isNew(only) ? text("drewPlay", { tiles, tile: tileName(only) }) : text("drew", { tiles });
  }
}
