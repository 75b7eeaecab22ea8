/** `/replay/<match>`: a finished match, from deal to deal and play to play, and the proof of its deals. */

import { element, write } from "./element.js";
import { BoardPane } from "./board_pane.js";
import { title } from "./frame.js";
import { text } from "./language.js";
import { castOf, seatNames } from "./names.js";
import { PlayList } from "./play_list.js";
import { type Frame, type MatchRecord, frames } from "./record.js";
import { refusalText } from "./refusal_text.js";
import { shown } from "./seen.js";
import { service } from "./service.js";
import { verifyPanel } from "./verify_panel.js";
import type { Cast } from "../words/event.js";

/** How long each picture stays when it plays by itself. */
const EACH_MS = 900;

export async function replayPage(main: HTMLElement, matchId: string, inviteCode: string): Promise<void> {
  title(text("replay"));
  main.replaceChildren(element("p", { class: "waiting", "aria-busy": "true" }, text("loading")));
  try {
    const [view, json] = await Promise.all([service.match(matchId, inviteCode), service.replay(matchId, inviteCode)]);
    const names = seatNames(view.seats);
    const players = names.join(", ");
    title(text("replayOf", { players }));
    const pane = new ReplayPane(frames(JSON.parse(json) as MatchRecord, names), castOf(view.seats, view.scores.length));
    main.replaceChildren(element("h1", {}, text("replayOf", { players })), pane.root, verifyPanel(json, shown(matchId)));
  } catch (error) {
    main.replaceChildren(element("p", { class: "notice", role: "alert" }, refusalText(error)));
  }
}

class ReplayPane {
  private readonly board = new BoardPane();
  private readonly plays = new PlayList();
  private readonly round = element("span", {});
  private readonly position = element("span", { class: "quiet", role: "status" });
  private readonly scrubber: HTMLInputElement;
  private readonly player: HTMLButtonElement;
  readonly root: HTMLElement;
  private at = -1;
  private playing: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly frames: readonly Frame[],
    private readonly cast: Cast,
  ) {
    const last = frames.length - 1;
    const button = (label: string, sign: string, act: () => void) =>
      element("button", { type: "button", "aria-label": label, title: label, on: { click: act } }, sign);
    const step = (by: number) => () => this.moveBy(by);
    this.scrubber = element("input", {
      type: "range",
      min: "0",
      max: String(last),
      value: "0",
      "aria-label": text("replay"),
      on: { input: () => this.stopAt(Number(this.scrubber.value)) },
    });
    this.player = button(text("replayPlay"), "▶", () => this.toggle());
    const bar = element(
      "div",
      { class: "replay-bar" },
      button(text("replayFirst"), "⏮", () => this.stopAt(0)),
      button(text("replayBack"), "◀", step(-1)),
      this.player,
      button(text("replayOn"), "▷", step(1)),
      button(text("replayLast"), "⏭", () => this.stopAt(last)),
      this.scrubber,
      this.position,
    );
    this.root = element(
      "div",
      { class: "table" },
      element("div", { class: "status" }, this.round, bar),
      this.board.root,
      this.plays.root,
    );
    this.show(0);
  }

  private show(at: number): void {
    const frame = this.frames[at];
    if (!frame || at === this.at) return;
    if (at === this.at + 1) this.plays.addEvents(frame.events, this.cast);
    else {
      this.plays.clear();
      this.plays.addEvents(this.frames.slice(0, at + 1).flatMap(({ events }) => events), this.cast);
    }
    this.at = at;
    this.board.show(frame.board);
    this.scrubber.value = String(at);
    const position = text("replayPosition", { play: at + 1, plays: this.frames.length });
    this.scrubber.setAttribute("aria-valuetext", position);
    write(this.position, position);
    write(this.round, text("roundNumber", { round: frame.board.round + 1 }));
  }

  private stopAt(at: number): void {
    this.stop();
    this.show(at);
  }

  private moveBy(by: number): void {
    this.stopAt(Math.min(Math.max(this.at + by, 0), this.frames.length - 1));
  }

  private toggle(): void {
    if (this.playing !== undefined) return this.stop();
    if (this.at === this.frames.length - 1) this.show(0);
    this.playing = setInterval(() => {
      this.show(this.at + 1);
      if (this.at === this.frames.length - 1) this.stop();
    }, EACH_MS);
    this.label(text("replayPause"), "⏸");
  }

  private stop(): void {
    clearInterval(this.playing);
    this.playing = undefined;
    this.label(text("replayPlay"), "▶");
  }

  private label(label: string, sign: string): void {
    this.player.setAttribute("aria-label", label);
    this.player.title = label;
    write(this.player, sign);
  }
}
