/** Who sits at the table: the hands with their counts, as backs or, for whoever may see them, open. */

import { type Language, say } from "../words/message.js";
import { isolated } from "../words/name.js";
import type { Point, Size } from "./rect.js";
import { Keyed, add, entitle, make, set, write } from "./svg.js";
import { fitted } from "./text_fit.js";
import { backShape, tileShape } from "./tile_shape.js";
import { type BoardSeat, type Tile, tileName } from "./view.js";

/** How high the row of seats is, in pixels: with backs, and with open hands. */
const ROW = 62;
export const OPEN_ROW = 86;

export function seatsHeight(seats: readonly BoardSeat[]): number {
  return seats.some(({ hand }) => hand) ? OPEN_ROW : ROW;
}

const FONT = 13;
const BACK = 11;
/** How wide an open tile is at most, and how far it is from the next one. */
const FACE = 22;
const APART = 2;
/** Where a hand begins. */
const HAND: Point = { x: 10, y: 29 };
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
        add(made, "rect", { class: "fives-seat-plate", x: 2, y: 2, rx: 8 });
        add(made, "text", { class: "fives-seat-name", x: 10, y: 20, "font-size": FONT });
        add(made, "g", { class: "fives-hand" });
        add(made, "text", { class: "fives-seat-count", "text-anchor": "end", "font-size": FONT + 2 });
        return made;
      });
      const look = ["fives-seat", `fives-side-${seat.side}`, seat.onTurn ? "fives-on-turn" : "", seat.own ? "fives-own" : ""];
      set(bearer, { class: look.filter((name) => name !== "").join(" "), transform: `translate(${place * width} 0)` });
      const part = (kind: string): SVGElement => bearer.querySelector<SVGElement>(`.fives-${kind}`) as SVGElement;
      set(part("seat-plate"), { width: Math.max(width - 4, 0), height: size.height - 4 });
      write(part("seat-name"), isolated(fitted(seat.name, width - 22, FONT)));
      set(part("seat-count"), { x: width - 12, y: size.height - 15 });
      write(part("seat-count"), String(seat.tileCount));
      const room = width - 24 - COUNT;
      if (seat.hand) this.#drawFaces(part("hand"), seat.hand, room);
      else this.#drawBacks(part("hand"), seat.tileCount, room);
      const words = { name: isolated(seat.name), count: seat.tileCount };
      const title = say(language, seat.onTurn ? "handOnTurn" : "handTitle", words);
      entitle(bearer, seat.hand ? `${title} (${seat.hand.map(tileName).join(", ")})` : title);
    }
    this.#seats.sweep();
  }

  /** Backs side by side, over each other where there is little room. */
  #drawBacks(hand: SVGElement, count: number, room: number): void {
    if (hand.querySelector(".fives-tile")) hand.replaceChildren();
    while (hand.childElementCount > count) hand.lastElementChild?.remove();
    while (hand.childElementCount < count) hand.append(backShape(hand, BACK));
    const apart = count > 1 ? Math.min(BACK + 2, (room - BACK) / (count - 1)) : 0;
    for (const [at, back] of [...hand.children].entries()) set(back as SVGElement, { x: HAND.x + at * apart, y: HAND.y });
  }

  /** Upright tiles, smaller where there is little room. */
  #drawFaces(hand: SVGElement, tiles: readonly Tile[], room: number): void {
    const width = Math.max(Math.min(FACE, room / Math.max(tiles.length, 1) - APART), 1);
    hand.replaceChildren();
    for (const [at, { high, low }] of tiles.entries()) {
      const face = tileShape(hand, high, low);
      const middle = { x: HAND.x + at * (width + APART) + width / 2, y: HAND.y + width };
      set(face, { transform: `translate(${middle.x} ${middle.y}) rotate(90) scale(${width})` });
      hand.append(face);
    }
  }
}
