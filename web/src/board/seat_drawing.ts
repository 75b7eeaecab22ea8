/** Who sits at the table: the hands as backs with their counts. */

import { type Language, say } from "../words/message.js";
import { isolated } from "../words/name.js";
import type { Size } from "./rect.js";
import { Keyed, add, entitle, make, set, write } from "./svg.js";
import { fitted } from "./text_fit.js";
import { backShape } from "./tile_shape.js";
import type { BoardSeat } from "./view.js";

/** How high the row of seats is, in pixels. */
export const SEATS = 62;

const FONT = 13;
const BACK = 11;
/** Room for a count of two digits. */
const COUNT = 24;

export class SeatDrawing {
  readonly #seats: Keyed<SVGGElement>;

  constructor(group: SVGGElement) {
    this.#seats = new Keyed(group);
  }

  draw(seats: readonly BoardSeat[], size: Size, language: Language): void {
    const width = size.width / Math.max(seats.length, 1);
    for (const [place, seat] of seats.entries()) {
      const bearer = this.#seats.child(String(seat.seat), () => {
        const made = make(this.#seats.group, "g");
        add(made, "rect", { class: "fives-seat-plate", x: 2, y: 2, height: SEATS - 4, rx: 8 });
        add(made, "text", { class: "fives-seat-name", x: 10, y: 20, "font-size": FONT });
        add(made, "g", { class: "fives-hand" });
        add(made, "text", { class: "fives-seat-count", "text-anchor": "end", "font-size": FONT + 2, y: 47 });
        return made;
      });
      const look = ["fives-seat", `fives-side-${seat.side}`, seat.onTurn ? "fives-on-turn" : "", seat.own ? "fives-own" : ""];
      set(bearer, { class: look.filter((name) => name !== "").join(" "), transform: `translate(${place * width} 0)` });
      const part = (kind: string): SVGElement => bearer.querySelector<SVGElement>(`.fives-${kind}`) as SVGElement;
      set(part("seat-plate"), { width: Math.max(width - 4, 0) });
      write(part("seat-name"), isolated(fitted(seat.name, width - 22, FONT)));
      set(part("seat-count"), { x: width - 12 });
      write(part("seat-count"), String(seat.tileCount));
      this.#drawHand(part("hand"), seat.tileCount, width - 24 - COUNT);
      const words = { name: isolated(seat.name), count: seat.tileCount };
      entitle(bearer, say(language, seat.onTurn ? "handOnTurn" : "handTitle", words));
    }
    this.#seats.sweep();
  }

  /** Backs side by side, over each other where there is little room. */
  #drawHand(hand: SVGElement, count: number, room: number): void {
    while (hand.childElementCount > count) hand.lastElementChild?.remove();
    while (hand.childElementCount < count) hand.append(backShape(hand, BACK));
    const apart = count > 1 ? Math.min(BACK + 2, (room - BACK) / (count - 1)) : 0;
    for (const [at, back] of [...hand.children].entries()) set(back as SVGElement, { x: 10 + at * apart, y: 29 });
  }
}
