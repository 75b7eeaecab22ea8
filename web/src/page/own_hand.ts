/** The tiles of the player who looks: choose one, then an end; by click, by drag, by keys. */

import { tileName } from "../board/view.js";
import type { Play, ScoredPlay, Tile } from "../gen/fives/v1/types_pb.js";
import type { RoundView } from "../gen/fives/v1/view_pb.js";
import type { Lit } from "./board_pane.js";
import { endName, tileOf } from "./board_view.js";
import { Drag } from "./drag.js";
import { element, write } from "./element.js";
import { text } from "./language.js";
import { tileFace } from "./tile_face.js";

/** What an end is called, by its letter. */
const END_KEYS = { L: "endL", R: "endR", N: "endN", S: "endS" } as const;

export interface HandEvents {
  /** The player plays. */
  play(play: Play): void;
  /** Another tile is chosen: the ends that it fits, to be lit. */
  chosen(lit: readonly Lit[]): void;
}

/** Whether two tiles are the same. */
function isSame(one: Tile | undefined, other: Tile | undefined): boolean {
  return one !== undefined && other !== undefined && one.high === other.high && one.low === other.low;
}

export class OwnHand {
  private readonly prompt = element("p", { class: "prompt", role: "status" });
  private readonly tiles = element("div", { class: "tiles", role: "group", "aria-label": text("yourHand") });
  private readonly choices = element("div", { class: "choices", role: "group", "aria-label": text("chooseTile") });
  readonly root = element(
    "section",
    { class: "own-hand", on: { keydown: (event) => this.pressed(event) } },
    this.prompt,
    this.choices,
    this.tiles,
  );
  private hand: readonly Tile[] = [];
  private legal: readonly ScoredPlay[] = [];
  private chosen: Tile | undefined;
  private isWaiting = false;

  constructor(private readonly events: HandEvents) {}

  show(round: RoundView | undefined): void {
    this.hand = round?.hand ?? [];
    this.legal = round?.legalPlays ?? [];
    if (!this.hand.some((tile) => isSame(tile, this.chosen)) || this.playsOf(this.chosen).length === 0) this.chosen = undefined;
    this.draw();
  }

  /** While a play is under way, or nobody knows how the table stands, nothing can be chosen. */
  waits(isWaiting: boolean): void {
    if (this.isWaiting === isWaiting) return;
    this.isWaiting = isWaiting;
    this.draw();
  }

  /** Plays the chosen tile at an end, if it fits there. */
  playAt(end: string | undefined): void {
    const plays = this.playsOf(this.chosen);
    const wanted = plays.length === 1 && end === undefined ? plays[0] : plays.find(({ play }) => endName(play?.end) === end);
    if (wanted?.play && !this.isWaiting) this.events.play(wanted.play);
  }

  private playsOf(tile: Tile | undefined): ScoredPlay[] {
    return this.legal.filter(({ play }) => isSame(play?.tile, tile));
  }

  private choose(tile: Tile | undefined): void {
    this.chosen = tile;
    this.draw();
  }

  private draw(): void {
    const plays = this.playsOf(this.chosen);
    const focused = (document.activeElement as HTMLElement | null)?.dataset.tile;
    this.tiles.replaceChildren(...this.hand.map((tile) => this.tileButton(tile)));
    if (focused) this.tiles.querySelector<HTMLElement>(`[data-tile="${focused}"]`)?.focus();
    this.choices.replaceChildren(...plays.map((scored) => this.choiceButton(scored)));
    const isOnTurn = this.legal.length > 0;
    const prompt = this.chosen ? text("chooseEnd", { tile: tileName(tileOf(this.chosen)) }) : text("chooseTile");
    write(this.prompt, isOnTurn && !this.isWaiting ? prompt : "");
    this.root.classList.toggle("on-turn", isOnTurn && !this.isWaiting);
    this.events.chosen(
      plays.flatMap(({ play, points }) => {
        const end = endName(play?.end);
        return end ? [{ end, points }] : [];
      }),
    );
  }

  private tileButton(tile: Tile): HTMLButtonElement {
    const name = tileName(tileOf(tile));
    const plays = this.playsOf(tile);
    const best = Math.max(0, ...plays.map(({ points }) => points));
    const gain = best > 0 ? text("pointsGained", { points: best }) : "";
    const canPlay = plays.length > 0 && !this.isWaiting;
    const button = element(
      "button",
      {
        type: "button",
        class: canPlay ? "tile legal" : "tile",
        "data-tile": name,
        "aria-pressed": String(isSame(tile, this.chosen)),
        "aria-disabled": canPlay ? undefined : "true",
        "aria-label": this.legal.length > 0 && plays.length === 0 ? text("tileNotPlayable", { tile: name }) : `${text("tileTitle", { tile: name })} ${gain}`.trim(),
        on: { click: () => canPlay && this.clicked(tile) },
      },
      tileFace(tileOf(tile)),
      best > 0 && element("span", { class: "gain", "aria-hidden": "true" }, gain),
    );
    if (canPlay) {
      new Drag(button, {
        begun: () => this.choose(tile),
        dropped: (end) => (end !== undefined || plays.length === 1 ? this.playAt(plays.length === 1 ? undefined : end) : undefined),
      });
    }
    return button;
  }

  /** A second click on a tile that fits only one end plays it. */
  private clicked(tile: Tile): void {
    if (!isSame(tile, this.chosen)) return this.choose(tile);
    if (this.playsOf(tile).length === 1) this.playAt(undefined);
    else this.choose(undefined);
  }

  private choiceButton({ play, points }: ScoredPlay): HTMLButtonElement {
    const tile = tileName(tileOf(play?.tile));
    const end = endName(play?.end);
    const label = end
      ? text("choice", { tile, end: text(END_KEYS[end]), count: points })
      : text("choiceLead", { tile, count: points });
    return element(
      "button",
      {
        type: "button",
        class: points > 0 ? "choice gains" : "choice",
        "data-end": end ?? "lead",
        disabled: this.isWaiting,
        on: { click: () => play && this.events.play(play) },
      },
      label,
    );
  }

  private pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const letter = event.key.toUpperCase();
    if (event.key === "Escape") this.choose(undefined);
    else if (letter in END_KEYS && this.chosen) this.playAt(letter);
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") this.step(event.key === "ArrowRight" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  private step(by: number): void {
    const buttons = Array.from(this.tiles.querySelectorAll("button"));
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (buttons.length > 0) buttons[(at + by + buttons.length) % buttons.length]?.focus();
  }
}
