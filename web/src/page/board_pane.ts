/** The board in a page: drawn anew when the view or the room for it changes, with the plays of a chosen tile shown where they would go. */

import { type DrawnBoard, drawBoard } from "../board/board.js";
import { type Choice, targetAt, targets } from "../board/choices.js";
import type { Point, Size } from "../board/rect.js";
import type { BoardView } from "../board/view.js";
import { element, write } from "./element.js";
import { language, text } from "./language.js";

/** How the board is drawn where it is not drawn as everywhere. */
export interface BoardLook {
  readonly tracks: boolean;
  readonly seats: boolean;
  /** How large, in so much room. */
  scale(room: Size): number;
  /** Told of each drawing. */
  drawn(board: DrawnBoard): void;
}

export class BoardPane {
  private readonly svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  /** For pointers only; keys have the list of choices, which says the same. */
  private readonly lights = element("div", { class: "lights", "aria-hidden": "true" });
  /** For eyes; whoever hears the page hears the list of plays. */
  private readonly banner = element("p", { class: "banner", "aria-hidden": "true", hidden: true });
  readonly root = element("div", { class: "board", on: { click: () => this.goOn() } }, this.svg, this.lights, this.banner);
  private view: BoardView | undefined;
  /** What is shown instead for a while. */
  private past: BoardView | undefined;
  private lingering: ReturnType<typeof setTimeout> | undefined;
  private drawn: DrawnBoard | undefined;
  private choices: readonly Choice[] = [];
  private look: BoardLook | undefined;

  /** `play` is what a click on a lit end does. */
  constructor(private readonly play: (choice: Choice) => void = () => undefined) {
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  show(view: BoardView): void {
    this.view = view;
    if (!this.past) this.draw();
  }

  dress(look: BoardLook): void {
    this.look = look;
    this.draw();
  }

  /** Shows a moment that is over already, with a word about it: for so long, or until somebody has seen enough and clicks or plays on. */
  linger(past: BoardView, words: string, ms: number): void {
    this.past = past;
    write(this.banner, words);
    this.banner.hidden = false;
    clearTimeout(this.lingering);
    if (ms < Infinity) this.lingering = setTimeout(() => this.goOn(), ms);
    this.draw();
  }

  /** Whoever has seen enough of a moment that is over. */
  goOn(): void {
    if (!this.past) return;
    clearTimeout(this.lingering);
    this.past = undefined;
    this.banner.hidden = true;
    this.draw();
  }

  /** Lights up where a tile can be played, with the points that it would score there. */
  light(choices: readonly Choice[]): void {
    this.choices = choices;
    if (choices.length > 0) this.goOn();
    this.draw();
  }

  /** Which of the lit plays is meant by a drop at a point of the page; where there is only one, the whole board means it. */
  lightAt({ x, y }: Point): Choice | undefined {
    const { left, top, right, bottom } = this.root.getBoundingClientRect();
    if (!this.drawn || x < left || x > right || y < top || y > bottom) return undefined;
    const [only, ...others] = this.choices;
    return others.length === 0 ? only : targetAt(targets(this.drawn, this.choices), { x: x - left, y: y - top })?.choice;
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    const view = this.past ?? this.view;
    if (!view || width === 0 || height === 0) return;
    const { choices, look } = this;
    const window = { width, height };
    const drawn = drawBoard(this.svg, view, {
      language,
      window,
      choices,
      ...(look && { tracks: look.tracks, seats: look.seats, scale: look.scale(window) }),
    });
    this.drawn = drawn;
    look?.drawn(drawn);
    this.lights.replaceChildren(
      ...targets(drawn, choices).map(({ choice, at }) => {
        const { end, points } = choice;
        const light = element(
          "span",
          { class: points > 0 ? "light gains" : "light", "data-end": end ?? "lead", on: { click: () => this.play(choice) } },
          points > 0 ? text("pointsGained", { points }) : "0",
        );
        light.style.left = `${at.x}px`;
        light.style.top = `${at.y}px`;
        return light;
      }),
    );
  }
}
