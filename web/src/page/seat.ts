/** A match as its player sees it: the table, the own tiles, and what else can be done. */

import type { Choice } from "../board/choices.js";
import { type MatchView, isOver } from "../client/index.js";
import { BotKind, MatchState } from "../gen/fives/v1/types_pb.js";
import { type SeatView } from "../gen/fives/v1/view_pb.js";
import { wireEnd } from "./board_view.js";
import { element, write } from "./element.js";
import { text } from "./language.js";
import { OwnHand } from "./own_hand.js";
import { refusalText } from "./refusal_text.js";
import { RematchOffer } from "./rematch.js";
import { remember } from "./seen.js";
import { service } from "./service.js";
import { TablePane } from "./table_pane.js";

export interface SeatEvents {
  /** The player has stood up. */
  left(): void;
  /** Another match with the same table begins. */
  rematch(view: MatchView): void;
}

export class Seat {
  readonly pane: TablePane = new TablePane((choice) => this.hand.play(choice));
  private readonly hand = new OwnHand({
    play: (choice) => void this.play(choice),
    chosen: (choices) => this.pane.board.light(choices),
    droppedAt: (point) => this.pane.board.lightAt(point),
  });
  private readonly waiting = element("section", { class: "card waiting-room", hidden: true });
  private readonly actions = element("div", { class: "actions" });
  private readonly overlay = element("div", { class: "overlay", role: "alert", hidden: true });
  readonly root = element("div", { class: "seat" }, this.waiting, this.pane.root, this.hand.root, this.actions, this.overlay);
  private isPlaying = false;
  private isLost = false;

  constructor(
    private view: MatchView,
    private readonly events: SeatEvents,
  ) {
    this.show(view);
    this.pane.show(view, []);
  }

  /** Follows the match to its end. */
  async follow(): Promise<void> {
    for await (const told of service.follow(this.view.matchId)) {
      this.pane.told(told);
      this.lost(this.pane.root.dataset.connection === "lost");
      if (told.kind === "view") this.show(told.view);
    }
  }

  private show(view: MatchView): void {
    this.view = view;
    remember(view);
    this.hand.show(view.state === MatchState.LIVE ? view.round : undefined);
    this.hand.root.hidden = view.state !== MatchState.LIVE;
    this.showWaiting();
    this.showActions();
  }

  /** What lies on the table may have changed: nothing can be played until that is known. */
  private lost(isLost: boolean): void {
    this.isLost = isLost;
    this.overlay.hidden = !isLost;
    write(this.overlay, isLost ? (navigator.onLine ? text("reconnecting") : text("offline")) : "");
    this.hand.waits(this.isPlaying || isLost);
  }

  private async play({ tile, end }: Choice): Promise<void> {
    const { round, matchId } = this.view;
    if (!round || this.isPlaying) return;
    this.isPlaying = true;
    this.hand.waits(true);
    try {
      await service.play(matchId, round.round, { tile, end: wireEnd(end) });
      this.pane.warn(undefined);
    } catch (error) {
      this.pane.warn(refusalText(error));
    } finally {
      this.isPlaying = false;
      this.hand.waits(this.isLost);
    }
  }

  private get own(): SeatView | undefined {
    return this.view.viewerSeat === undefined ? undefined : this.view.seats[this.view.viewerSeat];
  }

  /** Before the start: how others come here. */
  private showWaiting(): void {
    const isOpen = this.view.state === MatchState.OPEN;
    const wasShown = !this.waiting.hidden;
    this.waiting.hidden = !isOpen;
    if (!isOpen) return;
    const count = this.view.seats.filter((seat) => seat.playerId === "" && seat.botKind === BotKind.UNSPECIFIED).length;
    if (wasShown) return write(this.waiting.querySelector("h2") ?? this.waiting, text("waitingForPlayers", { count }));
    const { inviteCode, matchId } = this.view;
    const link = new URL(inviteCode ? `/play?code=${inviteCode}` : `/play?match=${matchId}`, location.origin).href;
    const shown = element("input", { readonly: true, value: link });
    const copy = element("button", { type: "button", on: { click: () => void this.copy(copy, link) } }, text("copy"));
    this.waiting.replaceChildren(
      element("h2", {}, text("waitingForPlayers", { count })),
      element("label", {}, text("inviteLink"), shown),
      copy,
      inviteCode ? element("p", {}, text("inviteCode"), " ", element("code", { class: "code" }, inviteCode)) : "",
    );
  }

  private async copy(button: HTMLElement, link: string): Promise<void> {
    await navigator.clipboard?.writeText(link).then(() => write(button, text("copied")), () => undefined);
  }

  private showActions(): void {
    const { state, matchId } = this.view;
    // The question whether to give up stays while the table moves on.
    const key = `${state}/${this.own?.keptByBot}/${this.own?.resigned}`;
    if (this.actions.dataset.shown === key) return;
    this.actions.dataset.shown = key;
    const actions: HTMLElement[] = [];
    const button = (label: string, act: () => Promise<unknown>) =>
      element("button", { type: "button", on: { click: () => void act().catch((error: unknown) => this.pane.warn(refusalText(error))) } }, label);
    if (state === MatchState.OPEN) {
      actions.push(button(text("leave"), () => service.leave(matchId).then(() => this.events.left())));
    } else if (state === MatchState.LIVE && this.own?.keptByBot) {
      actions.push(element("p", {}, text("botKeepsSeat")), button(text("takeBackSeat"), () => service.reclaim(matchId)));
    } else if (state === MatchState.LIVE && !this.own?.resigned) {
      actions.push(this.resignButton());
    } else if (isOver(this.view)) {
      if (state === MatchState.FINISHED) {
        actions.push(new RematchOffer(this.view, (next) => this.events.rematch(next)).root);
        actions.push(element("a", { class: "button", href: `/replay/${matchId}` }, text("replay")));
      }
      actions.push(element("a", { class: "button", href: "/play" }, text("close")));
    }
    this.actions.replaceChildren(...actions);
  }

  private resignButton(): HTMLElement {
    const asked = element("span", { class: "asked", hidden: true });
    const ask = element("button", { type: "button", class: "quiet" }, text("resign"));
    const answer = (isSure: boolean) => () => {
      asked.hidden = true;
      ask.hidden = false;
      if (isSure) void service.resign(this.view.matchId).catch((error: unknown) => this.pane.warn(refusalText(error)));
      else ask.focus();
    };
    const no = element("button", { type: "button", on: { click: answer(false) } }, text("no"));
    asked.append(text("resignSure"), " ", element("button", { type: "button", on: { click: answer(true) } }, text("yes")), no);
    ask.addEventListener("click", () => {
      ask.hidden = true;
      asked.hidden = false;
      no.focus();
    });
    return element("span", {}, ask, asked);
  }
}
