import type { BoardView, End } from "../board/view.js";
import { element } from "./element.js";

/** An end that the chosen tile fits, and the points it would score there. */
export interface Lit {
  readonly end: End;
  readonly points: number;
}

export class BoardPane {
  readonly root = element("div", { class: "board" });
  show(view: BoardView): void {
    this.root.textContent = view.tiles.map(({ tile }) => `${tile.high}-${tile.low}`).join(" ");
  }
  light(_lit: readonly Lit[]): void {}
  onEnd(_act: (end: End) => void): void {}
}
