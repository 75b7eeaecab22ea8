/** The clock of the turn: counts down between the messages that tell how much is left. */

import type { TurnTimer } from "../gen/fives/v1/clock_pb.js";
import { element, write } from "./element.js";
import { text } from "./language.js";

export class TurnClock {
  readonly root = element("p", { class: "clock", hidden: true });
  private deadline = 0;
  private ticking: ReturnType<typeof setInterval> | undefined;

  /** Only durations are compared: the clock of the service and that of the browser need not agree. */
  show(timer: TurnTimer | undefined): void {
    clearInterval(this.ticking);
    this.root.hidden = timer === undefined;
    if (!timer) return;
    this.deadline = performance.now() + timer.remainingMs;
    this.tick();
    this.ticking = setInterval(() => this.tick(), 250);
  }

  private tick(): void {
    const left = Math.max(0, Math.ceil((this.deadline - performance.now()) / 1_000));
    write(this.root, text("clockLeft", { count: left }));
    this.root.classList.toggle("urgent", left <= 5);
    if (left === 0) clearInterval(this.ticking);
  }
}
