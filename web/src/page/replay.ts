/** `/replay/<match>`: a finished match, from deal to deal and play to play, and the proof of its deals. */

import { Refused, meaningOf } from "../client/index.js";
import { type Cast, describe } from "../words/event.js";
import { askForCode } from "./ask_code.js";
import { BoardPane } from "./board_pane.js";
import { element, write } from "./element.js";
import { title } from "./frame.js";
import { watchLink } from "./invitation.js";
import { language, text } from "./language.js";
import { castNamed, sitterNames } from "./names.js";
import { PlayList } from "./play_list.js";
import { type Frame, type MatchRecord, frames, withBacks } from "./record.js";
import { ReplayBar } from "./replay_bar.js";
import { refusalText } from "./refusal_text.js";
import { shown } from "./seen.js";
import { service } from "./service.js";
import { verifyPanel } from "./verify_panel.js";

export async function replayPage(main: HTMLElement, matchId: string, inviteCode: string): Promise<void> {
  title(text("replay"));
  main.replaceChildren(element("p", { "aria-busy": "true" }, text("loading")));
  try {
    const json = await service.replay(matchId, inviteCode);
    const record = JSON.parse(json) as MatchRecord;
    const names = await namesOf(matchId, inviteCode, record.config.players);
    const players = names.join(", ");
    title(text("replayOf", { players }));
    const sides = record.config.partners ? 2 : names.length;
    const pane = new ReplayPane(frames(record, names), castNamed(names, sides));
    main.replaceChildren(element("h1", { class: "replay-title" }, text("replayOf", { players })), pane.root, verifyPanel(json, shown(matchId)));
  } catch (error) {
    showRefusal(main, matchId, inviteCode, error);
  }
}

/** What the seats are called. A match that is long over is known by its record alone, which names nobody. */
async function namesOf(matchId: string, inviteCode: string, players: number): Promise<string[]> {
  try {
    return sitterNames((await service.match(matchId, inviteCode)).seats);
  } catch (error) {
    const meaning = meaningOf(error);
    if (!(meaning instanceof Refused && meaning.reason === "MATCH_ARCHIVED")) throw error;
    return Array.from({ length: players }, (_, seat) => text("replaySeat", { seat: seat + 1 }));
  }
}

function showRefusal(main: HTMLElement, matchId: string, inviteCode: string, error: unknown): void {
  const meaning = meaningOf(error);
  const reason = meaning instanceof Refused ? meaning.reason : undefined;
  if (reason === "INVITE_REQUIRED") {
    return askForCode(main, text("replay"), async (code) => {
      await service.replay(matchId, code);
      void replayPage(main, matchId, code);
    });
  }
  const isPlayed = reason === "MATCH_NOT_FINISHED";
  main.replaceChildren(
    element("p", { class: "notice", role: "alert" }, isPlayed ? text("replayNotFinished") : refusalText(error)),
    isPlayed ? watchLink(matchId, inviteCode) : "",
  );
}

class ReplayPane {
  private readonly board = new BoardPane();
  private readonly plays = new PlayList();
  /** How a round ended and what it cost, over the table; the list of plays says it, too. */
  private readonly ending = element("p", { class: "banner ending", "aria-hidden": "true", hidden: true });
  private readonly hands = element("input", { type: "checkbox", checked: true, on: { change: () => this.draw() } });
  private readonly rounds: number;
  private readonly bar: ReplayBar;
  readonly root: HTMLElement;
  private at = -1;

  constructor(
    private readonly frames: readonly Frame[],
    private readonly cast: Cast,
  ) {
    const begins = frames.flatMap(({ moment }, at) => (moment === "dealt" ? [at] : []));
    this.rounds = begins.length;
    const hands = element("label", { class: "tick" }, this.hands, text("replayHands"));
    this.bar = new ReplayBar(frames.length, begins, (at) => this.show(at), hands);
    this.board.root.append(this.ending);
    this.root = element("div", { class: "table replay" }, this.board.root, this.bar.root, this.plays.root);
    this.show(0);
  }

  private show(at: number): void {
    const frame = this.frames[at];
    if (!frame || at === this.at) return;
    if (at === this.at + 1) this.plays.addEvents(frame.events, this.cast);
    else this.plays.replaceBy(this.frames.slice(0, at + 1).flatMap(({ events }) => events), this.cast);
    this.at = at;
    this.bar.standAt(at, this.positionOf(frame));
    const isOver = frame.moment === "roundOver" || frame.moment === "over";
    write(this.ending, isOver ? frame.events.map((event) => describe(event, language, this.cast)).join(" ") : "");
    this.ending.hidden = !isOver;
    this.draw();
  }

  private draw(): void {
    const frame = this.frames[this.at];
    if (frame) this.board.show(this.hands.checked ? frame.board : withBacks(frame));
  }

  private positionOf({ moment, board, turn, turns }: Frame): string {
    const where = { round: board.round + 1, rounds: this.rounds };
    switch (moment) {
      case "dealt":
        return text("replayDealt", where);
      case "turn":
        return text("replayPosition", { ...where, play: turn, plays: turns });
      case "roundOver":
        return text("replayRoundOver", where);
      case "over":
        return text("replayOver");
    }
  }
}
