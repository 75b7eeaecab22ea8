/** The running list of what happened, in words and in notation; each entry is read out by screen readers as it comes. */

import type { Batch, Event } from "../gen/fives/v1/event_pb.js";
import { type Cast, describe, notation } from "../words/event.js";
import { element } from "./element.js";
import { language, text } from "./language.js";

/** A page that is open for days keeps no more than this. */
const LONGEST = 400;

export class PlayList {
  private readonly entries = element("ol", { class: "entries", role: "log", "aria-live": "polite", "aria-label": text("plays"), tabindex: "0" });
  private readonly nothing = element("p", { class: "quiet" }, text("noPlays"));
  readonly root = element("section", { class: "plays" }, element("h2", {}, text("plays")), this.nothing, this.entries);

  clear(): void {
    this.entries.replaceChildren();
    this.nothing.hidden = false;
  }

  add(batches: readonly Batch[], cast: Cast): void {
    const events = batches.flatMap((batch) => batch.events);
    if (events.length === 0) return;
    const isAtEnd = this.entries.scrollHeight - this.entries.scrollTop - this.entries.clientHeight < 40;
    this.nothing.hidden = true;
    this.entries.append(...events.slice(-LONGEST).map((event) => this.entry(event, cast)));
    while (this.entries.childElementCount > LONGEST) this.entries.firstElementChild?.remove();
    // Whoever has scrolled back to read stays there.
    if (isAtEnd) this.entries.scrollTop = this.entries.scrollHeight;
  }

  private entry(event: Event, cast: Cast): HTMLLIElement {
    const played = event.kind.case === "tilePlayed" ? event.kind.value : undefined;
    const points = played?.points ?? 0;
    return element(
      "li",
      { class: event.kind.case === "roundStarted" ? "deal" : points > 0 ? "scored" : undefined },
      // For eyes: the sentence says the same.
      played?.play !== undefined && element("code", { "aria-hidden": "true" }, notation(played.play)),
      element("span", {}, describe(event, language, cast)),
      points > 0 && element("strong", { "aria-hidden": "true" }, text("pointsGained", { points })),
    );
  }
}
