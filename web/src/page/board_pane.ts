/** The board in a page: drawn anew when the view or the room for it changes, with the ends that a chosen tile fits lit up. */

import { type DrawnBoard, drawBoard } from "../board/board.js";
import type { BoardView, End } from "../board/view.js";
import { element } from "./element.js";
import { language, text } from "./language.js";

/** An end that the chosen tile fits, and the points it would score there. */
export interface Lit {
  readonly end: End;
  readonly points: number;
}

export class BoardPane {
  private readonly svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  /** For pointers only; keys have the list of choices, which says the same. */
  private readonly lights = element("div", { class: "lights", "aria-hidden": "true" });
  readonly root = element("div", { class: "board" }, this.svg, this.lights);
  private view: BoardView | undefined;
  private drawn: DrawnBoard | undefined;
  private lit: readonly Lit[] = [];
  private chosen: (end: End) => void = () => undefined;

  constructor() {
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  show(view: BoardView): void {
    this.view = view;
    this.draw();
  }

  light(lit: readonly Lit[]): void {
    this.lit = lit;
    this.drawLights();
  }

  /** What a click on a lit end does. */
  onEnd(chosen: (end: End) => void): void {
    this.chosen = chosen;
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (!this.view || width === 0 || height === 0) return;
    this.drawn = drawBoard(this.svg, this.view, { language, window: { width, height } });
    this.drawLights();
  }

  private drawLights(): void {
    const { drawn } = this;
    this.lights.replaceChildren(
      ...this.lit.flatMap(({ end, points }) => {
        const slot = drawn?.layout.slots.get(end);
        if (!drawn || !slot) return [];
        const label = points > 0 ? text("pointsGained", { points }) : "";
        const light = element("span", { class: points > 0 ? "light gains" : "light", "data-end": end, on: { click: () => this.chosen(end) } }, label);
        const { x, y } = drawn.at(slot.at);
        light.style.left = `${x}px`;
        light.style.top = `${y}px`;
        return [light];
      }),
    );
  }
}
