/** A match as its player sees it: the table, the own tiles, and what else can be done. */

import type { Choice } from "../board/choices.js";
import { type MatchView, isOver } from "../client/index.js";
import { MatchState } from "../gen/fives/v1/types_pb.js";
import { type SeatView } from "../gen/fives/v1/view_pb.js";
import { replayAddress } from "./addresses.js";
import { wireEnd } from "./board_view.js";
import { element, write } from "./element.js";
import { title } from "./frame.js";
import { text } from "./language.js";
import { onTurn, seatName } from "./names.js";
import { OwnHand } from "./own_hand.js";
import { refusalText } from "./refusal_text.js";
import { RematchOffer } from "./rematch.js";
import { resignButton } from "./resign_button.js";
import { remember } from "./seen.js";
import { service } from "./service.js";
import { TablePane } from "./table_pane.js";
import { TurnNews } from "./turn_news.js";
import { WaitingRoom } from "./waiting_room.js";

export interface SeatEvents {
  /** The player has stood up. */
  left(): void;
  /** Another match with the same table begins. */
  rematch(view: MatchView): void;
}

export class Seat {
  readonly pane: TablePane = new TablePane((choice) => this.hand.play(choice));
  private readonly news = new TurnNews();
  private readonly hand = new OwnHand(this.news, {
    play: (choice) => void this.play(choice),
    chosen: (choices) => this.pane.board.light(choices),
    droppedAt: (point) => this.pane.board.lightAt(point),
  });
  private readonly waiting = new WaitingRoom();
  private readonly actions = element("div", { class: "actions" });
  private readonly resign = resignButton(() => void this.act(service.resign(this.view.matchId)));
  private readonly overlay = element("div", { class: "overlay", role: "alert", hidden: true });
  readonly root = element(
    "div",
    { class: "seat" },
    this.pane.root,
    this.waiting.root,
    this.actions,
    this.hand.root,
    // On a phone this is what comes when one scrolls.
    element("div", { class: "below" }, this.pane.plays.root, this.resign),
    this.overlay,
  );
  private isPlaying = false;
  /** The revision that the own play made: until the table stands there, the hand that is shown is the old one. */
  private played = 0n;

  constructor(
    private view: MatchView,
    private readonly events: SeatEvents,
  ) {
    // Whoever reaches for a tile plays at the table as it stands.
    this.hand.root.addEventListener("click", () => this.pane.board.goOn());
    // The pages' frame makes room for the table.
    document.documentElement.classList.add("seated");
    this.show(view);
    this.pane.show(view, []);
  }

  /** Follows the match to its end, or until it is gone, or the seat. */
  async follow(): Promise<void> {
    try {
      await this.followed();
    } catch (error) {
      if (!isOver(this.view)) this.isGone(error);
    }
  }

  private async followed(): Promise<void> {
    for await (const told of service.follow(this.view.matchId)) {
      this.pane.told(told);
      this.overlay.hidden = this.pane.lost === undefined;
      write(this.overlay, this.pane.lost ?? "");
      if (told.kind === "view") {
        if (told.reset) this.played = 0n;
        this.news.told(told.batches, this.view.viewerSeat);
        this.show(told.view);
      }
      this.wait();
    }
  }

  private isGone(error: unknown): void {
    this.pane.warn(refusalText(error));
    for (const part of [this.overlay, this.hand.root, this.waiting.root, this.resign]) part.hidden = true;
    this.actions.hidden = false;
    this.actions.replaceChildren(element("a", { class: "button", href: "/play" }, text("close")));
    title(text("navPlay"));
  }

  private show(view: MatchView): void {
    this.view = view;
    remember(view);
    const seat = onTurn(view);
    const isOwnTurn = seat !== undefined && seat.seat === view.viewerSeat;
    title(text(isOwnTurn ? "yourTurn" : "navPlay"));
    this.root.classList.toggle("open", view.state === MatchState.OPEN);
    this.hand.show(view.state === MatchState.LIVE ? view.round : undefined, seat && !isOwnTurn ? seatName(seat) : undefined);
    this.hand.root.hidden = view.state !== MatchState.LIVE;
    this.resign.hidden = view.state !== MatchState.LIVE || this.own?.resigned === true;
    this.waiting.show(view);
    this.showActions();
  }

  /** Nothing can be played while a play is under way, or nobody knows how the table stands. */
  private wait(): void {
    this.hand.waits(this.isPlaying || this.pane.lost !== undefined || (this.view.cursor?.revision ?? 0n) < this.played);
  }

  private async play({ tile, end }: Choice): Promise<void> {
    const { round, matchId, cursor } = this.view;
    if (!round || this.isPlaying) return;
    this.isPlaying = true;
    this.wait();
    try {
      const batch = await service.play(matchId, round.round, { tile, end: wireEnd(end) }, cursor);
      this.played = batch?.cursor?.revision ?? 0n;
      this.pane.warn(undefined);
    } catch (error) {
      this.pane.warn(refusalText(error));
    } finally {
      this.isPlaying = false;
      this.wait();
    }
  }

  private get own(): SeatView | undefined {
    return this.view.viewerSeat === undefined ? undefined : this.view.seats[this.view.viewerSeat];
  }

  /** Says why, if something could not be done. */
  private async act(doing: Promise<unknown>): Promise<void> {
    await doing.catch((error: unknown) => this.pane.warn(refusalText(error)));
  }

  private showActions(): void {
    const { state, matchId } = this.view;
    const key = `${state}/${this.own?.keptByBot}`;
    if (this.actions.dataset.shown === key) return;
    this.actions.dataset.shown = key;
    const actions: HTMLElement[] = [];
    const button = (label: string, act: () => Promise<unknown>) => {
      const once = async (): Promise<void> => {
        made.disabled = true;
        await this.act(act());
        made.disabled = false;
      };
      const made = element("button", { type: "button", on: { click: () => void once() } }, label);
      return made;
    };
    if (state === MatchState.OPEN) {
      actions.push(button(text("leave"), () => service.leave(matchId).then(() => this.events.left())));
    } else if (state === MatchState.LIVE && this.own?.keptByBot) {
      actions.push(element("p", {}, text("botKeepsSeat")), button(text("takeBackSeat"), () => service.reclaim(matchId)));
    } else if (isOver(this.view)) {
      if (state === MatchState.FINISHED) {
        actions.push(new RematchOffer(this.view, (next) => this.events.rematch(next)).root);
        actions.push(element("a", { class: "button", href: replayAddress(matchId) }, text("replay")));
      }
      actions.push(element("a", { class: "button", href: "/play" }, text("close")));
    }
    this.actions.replaceChildren(...actions);
    this.actions.hidden = actions.length === 0;
  }
}
