/** Playing once more with the same people: everybody says yes, and the next match begins. */

import type { MatchView } from "../client/index.js";
import { type Rematch, RematchState } from "../gen/fives/v1/rematch_pb.js";
import { element, write } from "./element.js";
import { text } from "./language.js";
import { refusalText } from "./refusal_text.js";
import { service } from "./service.js";

/** How often it is looked whether others have answered, and for how long after the match. */
const LOOK_EVERY_MS = 2_000;
const LOOK_FOR_MS = 10 * 60_000;

export class RematchOffer {
  private readonly said = element("p", { class: "notice", role: "status", hidden: true });
  private readonly yes = element("button", { type: "button", class: "first", on: { click: () => void this.answer() } }, text("rematch"));
  readonly root = element("div", { class: "rematch" }, this.said, this.yes);
  private since = Date.now();
  private later: ReturnType<typeof setTimeout> | undefined;
  private hasBegun = false;

  /** For a match that is over; `begun` is called once the next one has begun. */
  constructor(
    private readonly view: MatchView,
    private readonly begun: (next: MatchView) => void,
  ) {
    this.lookLater();
  }

  private lookLater(): void {
    clearTimeout(this.later);
    this.later = setTimeout(() => void this.look(), LOOK_EVERY_MS);
  }

  private async look(): Promise<void> {
    // Whoever has left the page, or has gone on, wants to know no more.
    if (this.hasBegun || !this.root.isConnected || Date.now() - this.since > LOOK_FOR_MS) return;
    try {
      await this.told(await service.rematch(this.view.matchId));
    } catch {
      // The network may be gone for a while; it is looked again.
    }
    this.lookLater();
  }

  private async answer(): Promise<void> {
    this.yes.disabled = true;
    try {
      await this.told(await service.answerRematch(this.view.matchId));
      // Whoever says yes late waits for the others from then on.
      this.since = Date.now();
      this.lookLater();
    } catch (error) {
      this.yes.disabled = false;
      this.say(refusalText(error));
    }
  }

  /** Once, whether one's own yes was the last or somebody else's. */
  private async begin(matchId: string): Promise<void> {
    if (this.hasBegun || !this.root.isConnected) return;
    this.hasBegun = true;
    try {
      this.begun(await service.match(matchId));
    } catch (error) {
      this.hasBegun = false;
      throw error;
    }
  }

  private say(what: string): void {
    this.said.hidden = false;
    write(this.said, what);
  }

  private async told(rematch: Rematch | undefined): Promise<void> {
    if (!rematch) return;
    const accepted = this.view.viewerSeat !== undefined && rematch.acceptedSeats.includes(this.view.viewerSeat);
    const isOffered = rematch.state === RematchState.OFFERED;
    this.yes.disabled = (isOffered && accepted) || rematch.state === RematchState.DECLINED;
    switch (rematch.state) {
      case RematchState.OFFERED:
        return this.say(text(accepted ? "rematchWaits" : "rematchOffered"));
      case RematchState.EXPIRED:
        return this.say(text("rematchExpired"));
      case RematchState.DECLINED:
        return this.say(text("rematchDeclined"));
      case RematchState.AGREED:
        return this.begin(rematch.nextMatchId);
    }
  }
}
