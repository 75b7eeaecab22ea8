/** The tiles of the player who looks: choose one, then an end; by click, by drag, by keys. */

import { type Choice, Choices } from "../board/choices.js";
import type { Point } from "../board/rect.js";
import { type Tile, endNamed, isSame, tileName } from "../board/view.js";
import type { RoundView } from "../gen/fives/v1/view_pb.js";
import { choiceOf, tileOf } from "./board_view.js";
import { choiceButton } from "./choice_button.js";
import { element, setDisabled, write } from "./element.js";
import { text } from "./language.js";
import { TileButton } from "./tile_button.js";
import type { TurnNews } from "./turn_news.js";

/** So many tiles stand side by side on a phone; more stand in two rows or three. */
const ROW = 9;

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
    this.tiles,
    this.ends,
  );
  private readonly buttons = new Map<string, TileButton>();
  private hand: readonly Tile[] = [];
  private choices = new Choices([]);
  private round: RoundView | undefined;
  private onTurn: string | undefined;
  private chosen: Tile | undefined;
  /** Why the tile that was pressed last cannot be played. */
  private why: string | undefined;
  private isWaiting = false;

  constructor(
    private readonly news: TurnNews,
    private readonly events: HandEvents,
  ) {}

  /** `onTurn` is the name of who is on turn, if that is somebody else. */
  show(round: RoundView | undefined, onTurn: string | undefined): void {
    // The same tile may be dealt again: it is not chosen for that.
    if (round?.round !== this.round?.round) this.chosen = undefined;
    this.round = round;
    this.onTurn = onTurn;
    this.hand = (round?.hand ?? []).map(tileOf);
    this.choices = new Choices((round?.legalPlays ?? []).map(choiceOf));
    this.why = undefined;
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
    this.why = undefined;
    this.draw();
  }

  private draw(): void {
    const { chosen, isOnTurn } = this;
    const plays = chosen ? this.choices.of(chosen) : [];
    const focused = this.root.contains(document.activeElement) ? (document.activeElement as HTMLElement) : undefined;
    this.drawTiles();
    this.drawEnds(plays);
    write(this.prompt, this.says());
    this.root.classList.toggle("on-turn", isOnTurn);
    // Whoever plays by keys goes on with keys, where the tile or the end is gone at the hand.
    if (focused && !focused.isConnected) this.root.focus({ preventScroll: true });
    this.events.chosen(plays);
  }

  private drawTiles(): void {
    const buttons = this.hand.map((tile) => this.buttonOf(tile));
    for (const [name, button] of this.buttons) {
      if (buttons.includes(button)) continue;
      button.root.remove();
      this.buttons.delete(name);
    }
    for (const [at, { root }] of buttons.entries()) {
      if (this.tiles.children[at] !== root) this.tiles.insertBefore(root, this.tiles.children[at] ?? null);
    }
    const rows = Math.ceil(this.hand.length / ROW);
    this.tiles.style.setProperty("--columns", String(Math.ceil(this.hand.length / Math.max(rows, 1))));
  }

  /** A choice that stays is left alone: a finger or the focus may be on it. */
  private drawEnds(plays: readonly Choice[]): void {
    const shown = JSON.stringify(plays);
    if (this.ends.dataset.shown !== shown) {
      this.ends.dataset.shown = shown;
      this.ends.replaceChildren(...plays.map((choice) => choiceButton(choice, () => this.play(choice))));
    }
    for (const button of this.ends.children) setDisabled(button, this.isWaiting);
  }

  private says(): string {
    const { chosen, isOnTurn } = this;
    if (this.why) return this.why;
    if (isOnTurn && chosen) return text("chooseEnd", { tile: tileName(chosen) });
    const [first, ...others] = this.choices.plays;
    const only = first && others.every(({ tile }) => isSame(tile, first.tile)) ? first.tile : undefined;
    const news = this.news.inWords(isOnTurn ? only : undefined);
    return !isOnTurn || (only && this.news.isNew(only)) ? news : `${news} ${text("chooseTile")}`.trim();
  }

  private buttonOf(tile: Tile): TileButton {
    const name = tileName(tile);
    const button =
      this.buttons.get(name) ??
      new TileButton(tile, {
        clicked: () => this.clicked(tile),
        dragged: () => this.choose(tile),
        dropped: (point) => this.dropped(tile, point),
      });
    this.buttons.set(name, button);
    const isPlayable = this.choices.isPlayable(tile);
    button.show({
      canPlay: isPlayable && !this.isWaiting,
      doesNotFit: this.choices.plays.length > 0 && !isPlayable,
      isChosen: this.chosen !== undefined && isSame(tile, this.chosen),
      isNew: this.news.isNew(tile),
      best: this.choices.best(tile),
    });
    return button;
  }

  /** A second click on a tile plays it if that needs no further question, and puts it back otherwise. */
  private clicked(tile: Tile): void {
    if (this.isWaiting) return;
    if (!this.choices.isPlayable(tile)) return this.refuse(tile);
    const decided = this.choices.decided(tile);
    if (!this.chosen || !isSame(tile, this.chosen)) this.choose(tile);
    else if (decided) this.play(decided);
    else this.choose(undefined);
  }

  /** Another finger may have chosen another tile meanwhile. */
  private dropped(tile: Tile, point: Point): void {
    if (this.chosen && isSame(tile, this.chosen)) this.play(this.events.droppedAt(point));
  }

  /** Says why a tile cannot be played. */
  private refuse(tile: Tile): void {
    this.chosen = undefined;
    const numbers = [...new Set(this.round?.openEnds.map(({ pip }) => pip))].sort().join(", ");
    if (this.isOnTurn) this.why = text("doesNotFit", { tile: tileName(tile), numbers });
    else this.why = this.onTurn === undefined ? text("refusedNotYourTurn") : text("notOnTurn", { name: this.onTurn });
    this.draw();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const end = endNamed(event.key.toUpperCase());
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
    if (next) this.buttonOf(next).root.focus();
  }
}
