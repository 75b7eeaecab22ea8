/** The tiles on the table and what their ends count. */

import { END_KEYS } from "../words/end.js";
import type { Cast } from "../words/event.js";
import { type Language, say } from "../words/message.js";
import { isolated } from "../words/name.js";
import type { Layout, PlacedTile } from "./layout.js";
import { type Point, centre } from "./rect.js";
import { Keyed, add, entitle, make, set, write } from "./svg.js";
import { rivet, tileShape } from "./tile_shape.js";
import { type BoardEnd, type BoardView, isDouble, tileName } from "./view.js";

/** The smallest radius of a count that can be read, in pixels. */
const CHIP_MIN = 10;

/** A tile with its inward half at the left. */
function shapeOf(owner: Element, { laid }: PlacedTile): SVGGElement {
  const { high, low } = laid.tile;
  const shape = tileShape(owner, high + low - laid.outward, laid.outward);
  if (laid.spinner) rivet(shape);
  return shape;
}

/** How a tile that lies flat is brought to its place. */
function placing({ rect, facing, laid }: PlacedTile): string {
  const { x, y } = centre(rect);
  return `translate(${x} ${y}) rotate(${(facing + (laid.crosswise ? 1 : 0)) * 90})`;
}

/** An end in words. */
function endInWords({ end, pip, counted }: BoardEnd, language: Language): string {
  const name = say(language, END_KEYS[end]);
  return counted === undefined ? say(language, "endBare", { end: name, pip }) : say(language, "endCounts", { end: name, pip, counted });
}

export class TableDrawing {
  readonly #plane: SVGGElement;
  readonly #tiles: Keyed<SVGGElement>;
  readonly #ends: Keyed<SVGGElement>;
  readonly #points: Keyed<SVGGElement>;
  readonly #ghosts: Keyed<SVGGElement>;
  #newest = "";

  constructor(readonly group: SVGGElement) {
    this.#plane = add(group, "g", { class: "fives-plane" });
    this.#ghosts = new Keyed(add(this.#plane, "g", { "aria-hidden": "true" }));
    this.#tiles = new Keyed(add(this.#plane, "g"));
    this.#ends = new Keyed(add(this.#plane, "g"));
    this.#points = new Keyed(add(this.#plane, "g"));
  }

  /** Draws a layout with a half tile `half` pixels wide and its point 0, 0 at `origin`. */
  draw(view: BoardView, layout: Layout, half: number, origin: Point, language: Language, cast: Pick<Cast, "seat">): void {
    // By property, not by attribute: only then can the style sheet let a zoom glide.
    this.#plane.style.transform = `translate(${origin.x}px, ${origin.y}px) scale(${half})`;
    this.#drawTiles(view, layout, language, cast);
    this.#drawEnds(view, layout, half, language);
    this.#drawPoints(view, layout, half, language);
    const ends = view.ends.map((end) => endInWords(end, language)).join(", ");
    const summary = say(language, "boardSummary", { count: view.tiles.length, ends, total: view.total });
    set(this.group, { role: "group", "aria-label": view.tiles.length === 0 ? say(language, "boardEmpty") : summary });
  }

  /** Shows where tiles would lie. For the eye alone: whoever hears the page has the list of choices. */
  drawGhosts(ghosts: readonly PlacedTile[]): void {
    for (const placed of ghosts) {
      const key = `${tileName(placed.laid.tile)} ${placing(placed)}`;
      this.#ghosts.child(key, () => {
        const made = make(this.#plane, "g", { class: "fives-ghost", transform: placing(placed) });
        made.append(shapeOf(this.#plane, placed));
        return made;
      });
    }
    this.#ghosts.sweep();
  }

  #drawTiles(view: BoardView, layout: Layout, language: Language, cast: Pick<Cast, "seat">): void {
    const last = view.last && `${view.round} ${tileName(view.last.tile)}`;
    // A page that comes late sees the tiles lying: only what is laid on a table that was drawn before is animated.
    const moves = last !== undefined && this.#newest !== "" && this.#newest !== last && !this.#tiles.has(last);
    for (const placed of layout.tiles) {
      const { laid } = placed;
      const name = tileName(laid.tile);
      const key = `${view.round} ${name}`;
      const bearer = this.#tiles.child(key, () => {
        const made = make(this.#plane, "g", { class: "fives-laid" });
        made.append(shapeOf(this.#plane, placed));
        return made;
      });
      set(bearer, { transform: placing(placed) });
      bearer.classList.toggle("fives-last", key === last);
      bearer.classList.toggle("fives-new", key === last && (moves || bearer.classList.contains("fives-new")));
      const title =
        key === last && view.last
          ? say(language, "tileLast", { tile: name, name: isolated(cast.seat(view.last.seat)) })
          : say(language, laid.spinner ? "tileSpinner" : "tileTitle", { tile: name });
      entitle(bearer, title);
    }
    this.#tiles.sweep();
    this.#newest = last ?? `${view.round}`;
  }

  #drawEnds(view: BoardView, layout: Layout, half: number, language: Language): void {
    const radius = Math.max(0.46, CHIP_MIN / half);
    for (const end of view.ends) {
      const slot = layout.slots.get(end.end);
      if (!slot) continue;
      const chip = this.#ends.child(end.end, () => {
        const made = make(this.#plane, "g", { class: "fives-end", "data-end": end.end });
        add(made, "circle", { class: "fives-end-disc" });
        add(made, "text", { class: "fives-end-count", "text-anchor": "middle" });
        return made;
      });
      set(chip, { transform: `translate(${slot.at.x} ${slot.at.y})` });
      const bare = end.counted === undefined;
      chip.classList.toggle("fives-end-bare", bare);
      for (const disc of chip.querySelectorAll("circle")) set(disc, { r: bare ? radius * 0.55 : radius });
      for (const text of chip.querySelectorAll("text")) {
        set(text, { "font-size": radius * 1.15, y: radius * 0.4 });
        write(text, bare ? "" : String(end.counted));
      }
      entitle(chip, endInWords(end, language));
    }
    this.#ends.sweep();
  }

  /** The points of the last play rise from its tile and fade; they stay readable beside the total. */
  #drawPoints(view: BoardView, layout: Layout, half: number, language: Language): void {
    const { last } = view;
    const placed = last && layout.tiles.find(({ laid }) => tileName(laid.tile) === tileName(last.tile));
    if (last && placed && last.points > 0) {
      const { x, y } = centre(placed.rect);
      const size = Math.max(0.9, 20 / half);
      const key = `${view.round} ${tileName(last.tile)}`;
      const bearer = this.#points.child(key, () => {
        const made = make(this.#plane, "g", { class: "fives-points", "aria-hidden": "true" });
        add(made, "text", { class: "fives-points-text", "text-anchor": "middle" });
        return made;
      });
      set(bearer, { transform: `translate(${x} ${y})` });
      for (const text of bearer.querySelectorAll("text")) {
        set(text, { "font-size": size, y: isDouble(last.tile) ? -size * 0.8 : -size * 0.3 });
        write(text, say(language, "pointsGained", { points: last.points }));
      }
    }
    this.#points.sweep();
  }
}
