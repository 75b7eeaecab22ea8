/** A tile of the own hand as a button. It stays the same element as long as the tile is held: a finger or the focus stays with it. */

import type { Point } from "../board/rect.js";
import { type Tile, tileName } from "../board/view.js";
import { Drag } from "./drag.js";
import { element, setDisabled, write } from "./element.js";
import { text } from "./language.js";
import { tileFace } from "./tile_face.js";

export interface TileState {
  readonly canPlay: boolean;
  /** It is the player's turn, and the tile has no place. */
  readonly doesNotFit: boolean;
  readonly isChosen: boolean;
  /** Whether it was drawn since the last play. */
  readonly isNew: boolean;
  /** The most points that it scores. */
  readonly best: number;
}

export interface TileEvents {
  clicked(): void;
  dragged(): void;
  dropped(at: Point): void;
}

export class TileButton {
  private readonly gain = element("span", { class: "gain", "aria-hidden": "true" });
  readonly root: HTMLButtonElement;
  private canPlay = false;

  constructor(
    private readonly tile: Tile,
    events: TileEvents,
  ) {
    this.root = element("button", { type: "button", "data-tile": tileName(tile), on: { click: () => events.clicked() } }, tileFace(tile), this.gain);
    new Drag(this.root, { allowed: () => this.canPlay, begun: () => events.dragged(), dropped: (point) => events.dropped(point) });
  }

  show({ canPlay, doesNotFit, isChosen, isNew, best }: TileState): void {
    const { root } = this;
    this.canPlay = canPlay;
    const gain = best > 0 ? text("pointsGained", { points: best }) : "";
    write(this.gain, gain);
    this.gain.hidden = gain === "";
    root.className = `tile${canPlay ? " legal" : ""}${isNew ? " new" : ""}`;
    root.setAttribute("aria-pressed", String(isChosen));
    // Pressed, it says why it cannot be played.
    setDisabled(root, !canPlay);
    const tile = tileName(this.tile);
    const title = text(doesNotFit ? "tileNotPlayable" : isNew ? "tileNew" : "tileTitle", { tile });
    root.setAttribute("aria-label", `${title} ${gain}`.trim());
  }
}
