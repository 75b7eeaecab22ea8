/** Dragging a tile out of the hand onto the board, by mouse, finger or pen. */

import type { Point } from "../board/rect.js";

/** Less than this is a click that shook. */
const SHAKE_PX = 8;

export interface DragEvents {
  begun(): void;
  /** Let go at a point of the page. */
  dropped(point: Point): void;
}

export class Drag {
  private from: Point | undefined;
  private ghost: HTMLElement | undefined;

  constructor(
    private readonly tile: HTMLElement,
    private readonly events: DragEvents,
  ) {
    tile.addEventListener("pointerdown", (event) => {
      if (event.button === 0) this.from = { x: event.clientX, y: event.clientY };
      // The finger stays with the tile although the hand is drawn anew when the drag begins.
      if (this.from) {
        addEventListener("pointermove", this.moved);
        addEventListener("pointerup", this.let);
        addEventListener("pointercancel", this.end);
      }
    });
  }

  private readonly moved = (event: PointerEvent): void => {
    if (!this.from) return;
    const { x, y } = this.from;
    if (!this.ghost) {
      if (Math.hypot(event.clientX - x, event.clientY - y) < SHAKE_PX) return;
      this.ghost = this.tile.cloneNode(true) as HTMLElement;
      this.ghost.classList.add("ghost");
      this.ghost.setAttribute("aria-hidden", "true");
      document.body.append(this.ghost);
      this.events.begun();
    }
    const { offsetWidth, offsetHeight } = this.ghost;
    this.ghost.style.translate = `${event.clientX - offsetWidth / 2}px ${event.clientY - offsetHeight / 2}px`;
  };

  private readonly let = (event: PointerEvent): void => {
    const wasDragged = this.ghost !== undefined;
    this.end();
    if (wasDragged) this.events.dropped({ x: event.clientX, y: event.clientY });
  };

  private readonly end = (): void => {
    removeEventListener("pointermove", this.moved);
    removeEventListener("pointerup", this.let);
    removeEventListener("pointercancel", this.end);
    this.ghost?.remove();
    this.ghost = undefined;
    this.from = undefined;
  };
}
