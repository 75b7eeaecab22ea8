/** The bar under a replay: from play to play, from round to round, and by itself. */

import { element, write } from "./element.js";
import { type IconName, icon } from "./icon.js";
import { text } from "./language.js";

/** How long each picture stays when it plays by itself. */
const EACH_MS = 900;

export class ReplayBar {
  private readonly scrubber: HTMLInputElement;
  private readonly player = this.button(text("replayPlay"), "play", () => this.toggle());
  private readonly position = element("span", { class: "position", role: "status" });
  readonly root: HTMLElement;
  private at = 0;
  private playing: ReturnType<typeof setInterval> | undefined;

  /** Of so many pictures, of which some begin a round; `show` is called with each that is wanted. */
  constructor(
    private readonly count: number,
    private readonly rounds: readonly number[],
    private readonly show: (at: number) => void,
    ...more: readonly HTMLElement[]
  ) {
    const marks = element("datalist", { id: "rounds" });
    marks.append(...rounds.map((at, round) => element("option", { value: at, label: String(round + 1) })));
    this.scrubber = element("input", {
      type: "range",
      min: 0,
      max: count - 1,
      value: 0,
      list: "rounds",
      "aria-label": text("replay"),
      on: { input: () => this.stopAt(Number(this.scrubber.value)) },
    });
    this.root = element(
      "div",
      { class: "replay-bar", on: { keydown: (event) => this.pressed(event) } },
      this.scrubber,
      marks,
      element(
        "div",
        { class: "replay-buttons" },
        this.button(text("replayFirst"), "first", () => this.stopAt(0)),
        this.button(text("replayRoundBack"), "roundBack", () => this.stopAt(this.roundBefore())),
        this.button(text("replayBack"), "back", () => this.stopAt(this.at - 1)),
        this.player,
        this.button(text("replayOn"), "on", () => this.stopAt(this.at + 1)),
        this.button(text("replayRoundOn"), "roundOn", () => this.stopAt(this.roundAfter())),
        this.button(text("replayLast"), "last", () => this.stopAt(count - 1)),
      ),
      this.position,
      ...more,
    );
  }

  /** Shows where the replay is, as `position` says it. */
  standAt(at: number, position: string): void {
    this.at = at;
    this.scrubber.value = String(at);
    this.scrubber.setAttribute("aria-valuetext", position);
    write(this.position, position);
  }

  private button(label: string, sign: IconName, act: () => void): HTMLButtonElement {
    return element("button", { type: "button", "aria-label": label, title: label, on: { click: act } }, icon(sign));
  }

  /** Where this round begins; from its beginning, where the one before does. */
  private roundBefore(): number {
    return this.rounds.findLast((begin) => begin < this.at) ?? 0;
  }

  private roundAfter(): number {
    return this.rounds.find((begin) => begin > this.at) ?? this.count - 1;
  }

  private pressed(event: KeyboardEvent): void {
    const isSpace = event.key === " " && event.target === this.scrubber;
    if (!isSpace && event.key !== "PageUp" && event.key !== "PageDown") return;
    event.preventDefault();
    if (isSpace) this.toggle();
    else this.stopAt(event.key === "PageUp" ? this.roundBefore() : this.roundAfter());
  }

  private stopAt(at: number): void {
    this.stop();
    this.show(Math.min(Math.max(at, 0), this.count - 1));
  }

  private toggle(): void {
    if (this.playing !== undefined) return this.stop();
    if (this.at === this.count - 1) this.show(0);
    this.playing = setInterval(() => {
      this.show(this.at + 1);
      if (this.at === this.count - 1) this.stop();
    }, EACH_MS);
    this.label(text("replayPause"), "pause");
  }

  private stop(): void {
    clearInterval(this.playing);
    this.playing = undefined;
    this.label(text("replayPlay"), "play");
  }

  private label(label: string, sign: IconName): void {
    this.player.setAttribute("aria-label", label);
    this.player.title = label;
    this.player.replaceChildren(icon(sign));
  }
}
