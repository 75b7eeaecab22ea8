/** The tiles of the player who looks: choose one, then an end; by click, by drag, by keys. */

import { type Choice, Choices } from "../board/choices.js";
import type { Point } from "../board/rect.js";
import { type Tile, isSame, tileName } from "../board/view.js";
import type { RoundView } from "../gen/fives/v1/view_pb.js";
import { choiceOf, endLetter, tileOf } from "./board_view.js";
import { Drag } from "./drag.js";
import { element, write } from "./element.js";
import { text } from "./language.js";
import { tileFace } from "./tile_face.js";

/** What an end is called, by its letter. */
const END_KEYS = { L: "endL", R: "endR", N: "endN", S: "endS" } as const;

export interface HandEvents {
  /** The player plays. */
  play(choice: Choice): void;
  /** Another tile is chosen, or none: the plays of it. */
  chosen(choices: readonly Choice[]): void;
  /** Which play of the chosen tile is meant by a drop at a point of the page. */
  droppedAt(point: Point): Choice | undefined;
}

export class OwnHand {
  private readonly prompt = element("p", { class: "prompt", role: "status" });
  private readonly tiles = element("div", { class: "tiles", role: "group", "aria-label": text("yourHand") });
  private readonly ends = element("div", { class: "choices", role: "group", "aria-label": text("chooseTile") });
  readonly root = element(
    "section",
    { class: "own-hand", tabindex: "-1", "aria-label": text("yourHand"), on: { keydown: (event) => this.pressed(event) } },
    this.prompt,
    this.ends,
    this.tiles,
  );
  private hand: readonly Tile[] = [];
  private choices = new Choices([]);
  private chosen: Tile | undefined;
  private isWaiting = false;

  constructor(private readonly events: HandEvents) {}

  show(round: RoundView | undefined): void {
    this.hand = (round?.hand ?? []).map(tileOf);
    this.choices = new Choices((round?.legalPlays ?? []).map(choiceOf));
    if (this.chosen && !this.choices.isPlayable(this.chosen)) this.chosen = undefined;
    this.draw();
  }

  /** While a play is under way, or nobody knows how the table stands, nothing can be chosen. */
  waits(isWaiting: boolean): void {
    if (this.isWaiting === isWaiting) return;
    this.isWaiting = isWaiting;
    this.draw();
  }

  play(choice: Choice | undefined): void {
    if (choice && !this.isWaiting) this.events.play(choice);
  }

  private get isOnTurn(): boolean {
    return this.choices.plays.length > 0 && !this.isWaiting;
  }

  private choose(tile: Tile | undefined): void {
    this.chosen = tile;
    this.draw();
  }

  private draw(): void {
    const { chosen, isOnTurn } = this;
    const plays = chosen ? this.choices.of(chosen) : [];
    const focused = this.root.contains(document.activeElement) ? (document.activeElement as HTMLElement) : undefined;
    this.tiles.replaceChildren(...this.hand.map((tile) => this.tileButton(tile)));
    this.ends.replaceChildren(...plays.map((choice) => this.choiceButton(choice)));
    write(this.prompt, !isOnTurn ? "" : chosen ? text("chooseEnd", { tile: tileName(chosen) }) : text("chooseTile"));
    this.root.classList.toggle("on-turn", isOnTurn);
    // Whoever plays by keys goes on with keys: at the same tile or, where that is gone, at the hand.
    if (focused && !focused.isConnected) (this.buttonOf(focused.dataset.tile) ?? this.root).focus({ preventScroll: true });
    this.events.chosen(plays);
  }

  private buttonOf(tile: string | undefined): HTMLElement | null {
    return this.tiles.querySelector<HTMLElement>(`[data-tile="${tile}"]`);
  }

  private tileButton(tile: Tile): HTMLButtonElement {
    const name = tileName(tile);
    const best = this.choices.best(tile);
    const gain = best > 0 ? text("pointsGained", { points: best }) : "";
    const canPlay = this.choices.isPlayable(tile) && !this.isWaiting;
    const doesNotFit = this.choices.plays.length > 0 && !this.choices.isPlayable(tile);
    const isChosen = this.chosen !== undefined && isSame(tile, this.chosen);
    const button = element(
      "button",
      {
        type: "button",
        class: canPlay ? "tile legal" : "tile",
        "data-tile": name,
        "aria-pressed": String(isChosen),
        "aria-disabled": canPlay ? undefined : "true",
        "aria-label": doesNotFit ? text("tileNotPlayable", { tile: name }) : `${text("tileTitle", { tile: name })} ${gain}`.trim(),
        on: { click: () => canPlay && this.clicked(tile, isChosen) },
      },
      tileFace(tile),
      best > 0 && element("span", { class: "gain", "aria-hidden": "true" }, gain),
    );
    if (canPlay) {
      new Drag(button, {
        begun: () => this.choose(tile),
        dropped: (point) => this.play(this.events.droppedAt(point)),
      });
    }
    return button;
  }

  /** A second click on a tile plays it if that needs no further question, and puts it back otherwise. */
  private clicked(tile: Tile, isChosen: boolean): void {
    const decided = this.choices.decided(tile);
    if (!isChosen) this.choose(tile);
    else if (decided) this.play(decided);
    else this.choose(undefined);
  }

  private choiceButton(choice: Choice): HTMLButtonElement {
    const { tile, end, points } = choice;
    const name = tileName(tile);
    const label = end ? text("choice", { tile: name, end: text(END_KEYS[end]), count: points }) : text("choiceLead", { tile: name, count: points });
    return element(
      "button",
      {
        type: "button",
        class: points > 0 ? "choice gains" : "choice",
        "data-end": end ?? "lead",
        disabled: this.isWaiting,
        on: { click: () => this.play(choice) },
      },
      label,
    );
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const end = endLetter(event.key.toUpperCase());
    if (event.key === "Escape") this.choose(undefined);
    else if (end && this.chosen) this.play(this.choices.decided(this.chosen, end));
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") this.step(event.key === "ArrowRight" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  /** To the next tile that can be played. */
  private step(by: 1 | -1): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.tile;
    const from = this.hand.find((tile) => tileName(tile) === focused);
    const next = this.choices.next(this.hand, from, by);
    if (next) this.buttonOf(tileName(next))?.focus();
  }
}
