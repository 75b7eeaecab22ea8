/** Dragging a tile out of the hand onto the board, by mouse, finger or pen. */

import type { Point } from "../board/rect.js";

/** Less than this is a click that shook. */
const SHAKE_PX = 8;

export interface DragEvents {
  /** Whether the tile can be dragged now. */
  allowed(): boolean;
  begun(): void;
  /** Let go at a point of the page. */
  dropped(point: Point): void;
}

export class Drag {
  private pointer: number | undefined;
  private from: Point = { x: 0, y: 0 };
  private ghost: HTMLElement | undefined;

  constructor(
    private readonly tile: HTMLElement,
    private readonly events: DragEvents,
  ) {
    tile.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.pointer !== undefined || !events.allowed()) return;
      this.pointer = event.pointerId;
      this.from = { x: event.clientX, y: event.clientY };
      // Wherever the pointer goes, outside the tile too.
      addEventListener("pointermove", this.moved);
      addEventListener("pointerup", this.let);
      addEventListener("pointercancel", this.cancelled);
    });
  }

  private readonly moved = (event: PointerEvent): void => {
    if (event.pointerId !== this.pointer) return;
    const { x, y } = this.from;
    if (!this.ghost) {
      if (Math.hypot(event.clientX - x, event.clientY - y) < SHAKE_PX) return;
      const { width } = this.tile.getBoundingClientRect();
      this.ghost = this.tile.cloneNode(true) as HTMLElement;
      this.ghost.classList.add("ghost");
      this.ghost.setAttribute("aria-hidden", "true");
      this.ghost.style.width = `${width}px`;
      document.body.append(this.ghost);
      this.events.begun();
    }
    const { offsetWidth, offsetHeight } = this.ghost;
    this.ghost.style.translate = `${event.clientX - offsetWidth / 2}px ${event.clientY - offsetHeight / 2}px`;
  };

  private readonly let = (event: PointerEvent): void => {
    if (event.pointerId !== this.pointer) return;
    const wasDragged = this.ghost !== undefined;
    this.end();
    if (!wasDragged) return;
    // Let go over itself, the tile would be clicked as well.
    this.tile.addEventListener("click", unclicked, { capture: true });
    setTimeout(() => this.tile.removeEventListener("click", unclicked, { capture: true }));
    this.events.dropped({ x: event.clientX, y: event.clientY });
  };

  private readonly cancelled = (event: PointerEvent): void => {
    if (event.pointerId === this.pointer) this.end();
  };

  private end(): void {
    removeEventListener("pointermove", this.moved);
    removeEventListener("pointerup", this.let);
    removeEventListener("pointercancel", this.cancelled);
    this.ghost?.remove();
    this.ghost = undefined;
    this.pointer = undefined;
  }
}

function unclicked(event: Event): void {
  event.stopImmediatePropagation();
}
