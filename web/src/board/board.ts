/**
 * The board: scores as a race, the total and the boneyard, the tiles on the table, the hands as backs.
 *
 * Everything looks as board.css says; here are only shapes and where they are. Drawn again into the same root, what stays is kept,
 * so that a play costs little and only what is new moves.
 */

import { type Language, say } from "../words/message.js";
import { type Choice, preview } from "./choices.js";
import { type Layout, layOut } from "./layout.js";
import type { Point, Size } from "./rect.js";
import { OPEN_ROW, SeatDrawing, seatsHeight } from "./seat_drawing.js";
import { add, entitle, set, write } from "./svg.js";
import { TableDrawing } from "./table_drawing.js";
import { backShape } from "./tile_shape.js";
import { LANE, TrackDrawing } from "./track_drawing.js";
import type { BoardView } from "./view.js";

export interface BoardOptions {
  readonly language: Language;
  /** The room for the board, in CSS pixels. */
  readonly window: Size;
  /** How much larger everything but the tiles is drawn, as for who looks from afar; 1, if left out. */
  readonly scale?: number;
  /** Whether the scores are drawn; yes, if left out. */
  readonly tracks?: boolean;
  /** Whether the seats with their hands are drawn; yes, if left out. */
  readonly seats?: boolean;
  /** Plays of the tile that the player has chosen: each is shown faintly where it would lie. */
  readonly choices?: readonly Choice[];
}

/** What was drawn, for those who put something on top of it. */
export interface DrawnBoard {
  readonly layout: Layout;
  /** How many pixels half a tile is wide. */
  readonly half: number;
  /** Where a point of the table is in the window, in pixels. */
  at(point: Point): Point;
}

/** How high the row with the total and the boneyard is. */
const HEAD = 30;
const GAP = 6;

/** How high what is around the table is at the most, in pixels, with four seats that play for themselves. */
export const AROUND_MAX = { tracks: 4 * LANE + GAP, head: HEAD, seats: OPEN_ROW + GAP } as const;

const drawings = new WeakMap<SVGElement, BoardDrawing>();

class BoardDrawing {
  readonly #tracks: SVGGElement;
  readonly #trackDrawing: TrackDrawing;
  readonly #head: SVGGElement;
  readonly #total: SVGTextElement;
  readonly #points: SVGTSpanElement;
  readonly #boneyard: SVGGElement;
  readonly #boneyardCount: SVGTextElement;
  readonly #table: SVGGElement;
  readonly #felt: SVGRectElement;
  readonly #tableDrawing: TableDrawing;
  readonly #seats: SVGGElement;
  readonly #seatDrawing: SeatDrawing;
  #layout: Layout | undefined;

  constructor(readonly root: SVGElement) {
    root.classList.add("fives-board");
    this.#tracks = add(root, "g", { class: "fives-tracks" });
    this.#trackDrawing = new TrackDrawing(this.#tracks);
    this.#head = add(root, "g", { class: "fives-head" });
    this.#total = add(this.#head, "text", { class: "fives-total", x: 2, y: 21, "font-size": 17 });
    this.#points = add(this.#total, "tspan", { class: "fives-gained", dx: 10 });
    this.#boneyard = add(this.#head, "g", { class: "fives-boneyard" });
    for (const [at, tilt] of [-14, 6, 20].entries()) {
      const back = backShape(this.#boneyard, 9);
      set(back, { transform: `translate(${-56 + at * 8} 6) rotate(${tilt} 4.5 9)` });
      this.#boneyard.append(back);
    }
    this.#boneyardCount = add(this.#boneyard, "text", { class: "fives-boneyard-count", "text-anchor": "end", x: -2, y: 21, "font-size": 15 });
    this.#table = add(root, "g", { class: "fives-table" });
    this.#felt = add(this.#table, "rect", { class: "fives-felt", rx: 12 });
    this.#tableDrawing = new TableDrawing(add(this.#table, "g"));
    this.#seats = add(root, "g", { class: "fives-seats" });
    this.#seatDrawing = new SeatDrawing(this.#seats);
  }

  draw(view: BoardView, options: BoardOptions): DrawnBoard {
    const { language, scale = 1 } = options;
    // Drawn small, and then shown large.
    const window = { width: options.window.width / scale, height: options.window.height / scale };
    const shown = (group: SVGGElement, isShown: boolean): void => {
      if (isShown) group.removeAttribute("display");
      else set(group, { display: "none" });
    };
    const tracks = options.tracks === false ? 0 : view.scores.length * LANE + GAP;
    const seatRow = seatsHeight(view.seats);
    const seats = options.seats === false ? 0 : seatRow + GAP;
    set(this.root, { viewBox: `0 0 ${window.width} ${window.height}`, role: "group", "aria-label": say(language, "boardLabel") });

    shown(this.#tracks, tracks > 0);
    if (tracks > 0) this.#trackDrawing.draw(view, { width: window.width, height: tracks }, language);
    set(this.#head, { transform: `translate(0 ${tracks})` });
    this.#drawHead(view, window.width, language);

    const top = tracks + HEAD;
    const room = { width: window.width, height: Math.max(window.height - top - seats, 1) };
    const layout = layOut(view.tiles, room, this.#layout);
    this.#layout = layout;
    const half = room.width / (layout.shown.x1 - layout.shown.x0);
    const origin = { x: -layout.shown.x0 * half, y: top - layout.shown.y0 * half };
    set(this.#felt, { x: 0, y: top, width: room.width, height: room.height });
    const names = { seat: (seat: number): string => view.seats.find((other) => other.seat === seat)?.name ?? "" };
    this.#tableDrawing.draw(view, layout, half, origin, language, names);

    shown(this.#seats, seats > 0);
    set(this.#seats, { transform: `translate(0 ${window.height - seatRow})` });
    if (seats > 0) this.#seatDrawing.draw(view.seats, { width: window.width, height: seatRow }, language);
    const at = ({ x, y }: Point): Point => ({ x: (origin.x + x * half) * scale, y: (origin.y + y * half) * scale });
    const drawn = { layout, half: half * scale, at };
    const ghosts = (options.choices ?? []).flatMap((choice) => preview(drawn, view.tiles, choice) ?? []);
    this.#tableDrawing.drawGhosts(ghosts);
    return drawn;
  }

  #drawHead(view: BoardView, width: number, language: Language): void {
    const gained = view.last && view.last.points > 0 ? say(language, "pointsGained", { points: view.last.points }) : "";
    // The text of the total itself, before the span that holds the points.
    const text = say(language, "totalIs", { total: view.total });
    const first = this.#total.firstChild;
    if (first?.nodeType === 3) first.nodeValue = text;
    else this.#total.prepend(text);
    write(this.#points, gained);
    set(this.#boneyard, { transform: `translate(${width} 0)` });
    for (const [at, back] of this.#boneyard.querySelectorAll<SVGElement>(".fives-back").entries()) {
      set(back, { display: at < Math.max(view.boneyardCount, 1) ? "inline" : "none" });
    }
    // Where nothing is left an outline stays: a lone 0 would say nothing.
    this.#boneyard.classList.toggle("fives-boneyard-empty", view.boneyardCount === 0);
    write(this.#boneyardCount, String(view.boneyardCount));
    entitle(this.#boneyard, say(language, "boneyardTitle", { count: view.boneyardCount }));
  }
}

/** Draws a view into an `<svg>` element; drawn into before, it is changed to what the view shows now. */
export function drawBoard(root: SVGElement, view: BoardView, options: BoardOptions): DrawnBoard {
  const drawing = drawings.get(root) ?? new BoardDrawing(root);
  drawings.set(root, drawing);
  return drawing.draw(view, options);
}
