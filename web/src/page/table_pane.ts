/** A table as everybody sees it: what state it is in, the board, the list of plays. Watching and playing show it. */

import type { Choice } from "../board/choices.js";
import type { BoardView, LastPlay } from "../board/view.js";
import { type Told, Unreachable, isOver } from "../client/index.js";
import type { OpenHands } from "../gen/fives/v1/cast_service_pb.js";
import type { Batch } from "../gen/fives/v1/event_pb.js";
import { MatchState } from "../gen/fives/v1/types_pb.js";
import { SeatConnection } from "../gen/fives/v1/update_pb.js";
import type { MatchView } from "../gen/fives/v1/view_pb.js";
import { describe } from "../words/event.js";
import { BoardPane } from "./board_pane.js";
import { boardView, lastPlay } from "./board_view.js";
import { element, write } from "./element.js";
import { language, text } from "./language.js";
import { castOf, onTurn, seatName, seatNames, sideName, targetText } from "./names.js";
import { PlayList } from "./play_list.js";
import { roundEnd } from "./round_end.js";
import { TurnClock } from "./turn_clock.js";

/** For how long the end of a round is shown before the next one. */
const ROUND_END_MS = 3_500;

/** What the connection is like, for people. */
type Connection = "connecting" | "connected" | "lost";

export class TablePane {
  readonly board: BoardPane;
  readonly plays = new PlayList();
  private readonly clock = new TurnClock();
  private readonly state = element("span", { class: "badge" });
  private readonly round = element("span", {});
  private readonly target = element("span", { class: "quiet" });
  private readonly turn = element("span", { class: "turn" });
  private readonly delay = element("span", { class: "badge late", hidden: true });
  /** Which seats' people have no stream open. */
  private readonly away = element("span", { class: "badge late", role: "status", hidden: true });
  private readonly connection = element("span", { class: "connection", role: "status" });
  private readonly notice = element("p", { class: "notice", role: "alert", hidden: true });
  private readonly result = element("p", { class: "result", role: "status", hidden: true });
  readonly root: HTMLElement;
  private view: MatchView | undefined;
  /** The table as it stands, also while the end of a round is still shown. */
  private now: BoardView | undefined;
  /** How often the stream was lost since it told anything. */
  private losses = 0;
  private last: LastPlay | undefined;
  private dropped: readonly number[] = [];

  /** `play` is what a click on a lit end of the board does. */
  constructor(play?: (choice: Choice) => void) {
    this.board = new BoardPane(play);
    this.root = element(
      "div",
      { class: "table" },
      element("div", { class: "status" }, this.state, this.round, this.target, this.turn, this.clock.root, this.away, this.delay, this.connection),
      this.notice,
      this.result,
      this.board.root,
      this.plays.root,
    );
    this.connected("connecting");
  }

  /** Shows what a stream told. */
  told(told: Told): void {
    switch (told.kind) {
      case "view":
        this.losses = 0;
        this.connected("connected");
        this.show(told.view, told.batches, told.open);
        if (told.reset) this.warn(text("resetNotice"));
        else if (!told.fresh) this.warn(undefined);
        break;
      case "beat":
        this.losses = 0;
        this.connected("connected");
        this.clock.show(told.turnTimer);
        this.dropped = told.connections.flatMap((one, seat) => (one === SeatConnection.DROPPED ? [seat] : []));
        this.showAway();
        break;
      case "lost":
        // A stream that ends by itself comes back at once; only what lasts is worth a word.
        this.losses += 1;
        if (told.why instanceof Unreachable || !navigator.onLine || this.losses > 1) this.connected("lost");
    }
  }

  show(view: MatchView, batches: readonly Batch[], open?: OpenHands): void {
    const names = seatNames(view.seats);
    const cast = castOf(view.seats, view.scores.length);
    const round = view.round?.round;
    this.last = lastPlay(batches, round === this.view?.round?.round ? this.last : undefined);
    this.view = view;
    this.showAway();
    const next = boardView(view, this.last, open);
    const over = roundEnd(this.now, batches);
    this.now = next;
    this.board.show(next);
    // After the last round nothing comes that could be shown instead.
    if (over) this.board.linger(over.board, describe(over.event, language, cast), isOver(view) ? Infinity : ROUND_END_MS);
    this.plays.sayNothingCame((round ?? 0) === 0 && next.tiles.length === 0);
    this.plays.add(batches, cast);
    this.clock.show(view.turnTimer);
    write(this.state, stateText(view));
    this.state.dataset.state = MatchState[view.state];
    write(this.round, round === undefined ? "" : text("roundNumber", { round: round + 1 }));
    write(this.target, targetText(view));
    const seat = onTurn(view);
    write(this.turn, !seat ? "" : seat.seat === view.viewerSeat ? text("yourTurn") : text("turnOf", { name: seatName(seat) }));
    this.turn.classList.toggle("own", seat !== undefined && seat.seat === view.viewerSeat);
    write(this.delay, delayText(view));
    this.delay.hidden = view.state !== MatchState.LIVE || this.delay.textContent === "";
    write(this.result, resultText(view, names));
    this.result.hidden = this.result.textContent === "";
  }

  private showAway(): void {
    const { view } = this;
    const seats = view && !isOver(view) ? view.seats : [];
    // Only people are away; a seat that was left has nobody.
    const names = seats.filter(({ seat, playerId }) => playerId !== "" && this.dropped.includes(seat)).map(seatName);
    this.away.hidden = names.length === 0;
    write(this.away, names.length === 0 ? "" : text("away", { names: names.join(", ") }));
  }

  /** What is to be said while nobody knows how the table stands; `undefined` while that is known. */
  get lost(): string | undefined {
    if (this.root.dataset.connection !== "lost") return undefined;
    return text(navigator.onLine ? "reconnecting" : "offline");
  }

  private connected(connection: Connection): void {
    this.root.dataset.connection = connection;
    write(this.connection, this.lost ?? text(connection === "connected" ? "connected" : "connecting"));
  }

  warn(notice: string | undefined): void {
    this.notice.hidden = notice === undefined;
    write(this.notice, notice ?? "");
  }
}

export function stateText(view: Pick<MatchView, "state" | "voided">): string {
  if (view.voided) return text("stateVoided");
  switch (view.state) {
    case MatchState.OPEN:
      return text("stateOpen");
    case MatchState.LIVE:
      return text("stateLive");
    case MatchState.FINISHED:
      return text("stateFinished");
    default:
      return text("stateClosed");
  }
}

function delayText(view: MatchView): string {
  if (view.spectatorDelayS > 0) return text("delayedSeconds", { count: view.spectatorDelayS });
  if (view.spectatorDelayRevisions > 0) return text("delayedRevisions", { count: view.spectatorDelayRevisions });
  return "";
}

function resultText(view: MatchView, names: readonly string[]): string {
  const { outcome } = view;
  if (!outcome) return "";
  if (outcome.winnerSide === undefined) return text("eventDraw");
  const own = view.viewerSeat === undefined ? undefined : view.seats[view.viewerSeat]?.side;
  if (own === outcome.winnerSide) return text("youWin");
  return text("youLose", { name: sideName(names, view.scores.length, outcome.winnerSide) });
}
