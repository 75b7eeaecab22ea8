import type { BoardView } from "../board/view.js";
import { element } from "./element.js";
export class BoardPane {
  readonly root = element("div", { class: "board" });
  show(view: BoardView): void {
    this.root.textContent = view.tiles.map(({ tile }) => `${tile.high}-${tile.low}`).join(" ");
  }
}
