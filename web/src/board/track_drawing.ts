/** The scores as a race: a lane for each side, with the target as the finish. */

import { type Language, say } from "../words/message.js";
import { isolated } from "../words/name.js";
import type { Size } from "./rect.js";
import { Keyed, add, entitle, make, set, write } from "./svg.js";
import { fitted } from "./text_fit.js";
import type { BoardView } from "./view.js";

/** How high a lane is, in pixels. */
export const LANE = 22;

const FONT = 13;
/** Room for the word between two names. */
const JOINER = 30;
/** Room for a score of four signs. */
const SCORE = 44;
/** Scores below zero are shown in steps of so many points, so that the lanes do not shift with each of them. */
const BELOW_STEP = 50;

/** What a side is called: its seats, joined. In little room each name gets its part of it. */
function sideName(view: BoardView, side: number, language: Language, room = Infinity): string {
  const [one = "", other] = view.seats.filter((seat) => seat.side === side).map(({ name }) => name);
  const inRoom = (name: string, width: number): string => isolated(fitted(name, width, FONT));
  if (other === undefined) return inRoom(one, room);
  const whole = say(language, "teamOf", { one: isolated(one), other: isolated(other) });
  if (fitted(whole, room, FONT) === whole) return whole;
  const each = (room - JOINER) / 2;
  return say(language, "teamOf", { one: inRoom(one, each), other: inRoom(other, each) });
}

export class TrackDrawing {
  readonly #lanes: Keyed<SVGGElement>;
  readonly #finish: SVGGElement;

  constructor(group: SVGGElement) {
    this.#finish = add(group, "g", { "aria-hidden": "true" });
    this.#lanes = new Keyed(add(group, "g"));
  }

  draw(view: BoardView, size: Size, language: Language): void {
    const names = Math.min(size.width * 0.3, 170);
    const [start, end] = [names + 8, size.width - SCORE - 8];
    const lowest = Math.min(0, ...view.scores);
    const from = Math.floor(lowest / BELOW_STEP) * BELOW_STEP;
    /** Where a score is; what is over the target stays at the finish. */
    const at = (score: number): number => start + ((Math.min(score, view.target) - from) / (view.target - from)) * (end - start);

    for (const [side, score] of view.scores.entries()) {
      const lane = this.#lanes.child(String(side), () => {
        const made = make(this.#lanes.group, "g", { class: `fives-lane fives-side-${side}` });
        add(made, "text", { class: "fives-lane-name", "font-size": FONT });
        add(made, "rect", { class: "fives-lane-bed", height: 8, rx: 4 });
        add(made, "rect", { class: "fives-lane-run", height: 8, rx: 4 });
        add(made, "circle", { class: "fives-lane-runner", r: 7 });
        add(made, "text", { class: "fives-lane-score", "text-anchor": "end", "font-size": FONT + 1 });
        return made;
      });
      const middle = (side + 0.5) * LANE;
      const part = <Shape extends SVGElement>(kind: string): Shape => lane.querySelector<Shape>(`.fives-lane-${kind}`) as Shape;
      const onTurn = view.seats.some((seat) => seat.side === side && seat.onTurn);
      lane.classList.toggle("fives-on-turn", onTurn);
      set(part("name"), { x: 2, y: middle + 4.5 });
      write(part("name"), sideName(view, side, language, names));
      set(part("bed"), { x: start, y: middle - 4, width: end - start });
      set(part("run"), { x: Math.min(at(0), at(score)), y: middle - 4, width: Math.abs(at(score) - at(0)) });
      part<SVGCircleElement>("runner").style.transform = `translate(${at(score)}px, ${middle}px)`;
      set(part("score"), { x: size.width - 2, y: middle + 5 });
      write(part("score"), new Intl.NumberFormat([language.tag, "en"]).format(score));
      entitle(lane, say(language, "trackTitle", { name: sideName(view, side, language), count: score, target: view.target }));
    }
    this.#lanes.sweep();
    this.#drawFinish(at(view.target), at(0), from < 0, view.scores.length * LANE);
  }

  /** The chequered line at the target, and the start where lanes go below it. */
  #drawFinish(finish: number, start: number, hasBelow: boolean, height: number): void {
    this.#finish.replaceChildren();
    if (hasBelow) add(this.#finish, "line", { class: "fives-start", x1: start, x2: start, y1: 2, y2: height - 2 });
    const square = 3;
    for (let row = 0; row * square < height - 4; row += 1) {
      for (const column of [0, 1]) {
        const dark = (row + column) % 2 === 0;
        const look = dark ? "fives-finish-dark" : "fives-finish-light";
        add(this.#finish, "rect", { class: look, x: finish + (column - 1) * square, y: 2 + row * square, width: square, height: square });
      }
    }
  }
}
