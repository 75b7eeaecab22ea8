/** The running list of what happened, in words and in notation; each entry is read out by screen readers as it comes. */

import type { Batch, Event } from "../gen/fives/v1/event_pb.js";
import { type Cast, describe, notation } from "../words/event.js";
import { element, write } from "./element.js";
import { language, text } from "./language.js";

/** A page that is open for days keeps no more than this. */
const LONGEST = 400;

export class PlayList {
  private readonly entries = element("ol", {});
  private readonly log = element("div", { class: "entries", role: "log", "aria-label": text("plays"), tabindex: "0", hidden: true }, this.entries);
  private readonly nothing = element("p", { class: "quiet" }, text("noPlays"));
  readonly root = element("section", { class: "plays" }, element("h2", {}, text("plays")), this.nothing, this.log);

  /** Other events instead: where one jumps to was heard already, so they are not read out. */
  replaceBy(events: readonly Event[], cast: Cast): void {
    this.log.setAttribute("aria-live", "off");
    this.entries.replaceChildren();
    this.addEvents(events, cast);
    setTimeout(() => this.log.removeAttribute("aria-live"));
  }

  /** Nothing has come yet: whether because nothing has happened, or because it was not seen. */
  sayNothingCame(isFresh: boolean): void {
    write(this.nothing, text(isFresh ? "noPlays" : "playsFromNow"));
  }

  add(batches: readonly Batch[], cast: Cast): void {
    this.addEvents(batches.flatMap(({ events }) => events), cast);
  }

  addEvents(events: readonly Event[], cast: Cast): void {
    if (events.length === 0) return;
    const isAtEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 40;
    this.nothing.hidden = true;
    this.log.hidden = false;
    this.entries.append(...events.slice(-LONGEST).map((event) => this.entry(event, cast)));
    while (this.entries.childElementCount > LONGEST) this.entries.firstElementChild?.remove();
    // Whoever has scrolled back to read stays there.
    if (isAtEnd) this.log.scrollTop = this.log.scrollHeight;
  }

  private entry(event: Event, cast: Cast): HTMLLIElement {
    const played = event.kind.case === "tilePlayed" ? event.kind.value : undefined;
    const points = played?.points ?? 0;
    return element(
      "li",
      { class: event.kind.case === "roundStarted" ? "deal" : undefined },
      // For eyes: the sentence says the same.
      played?.play !== undefined && element("code", { "aria-hidden": "true" }, notation(played.play)),
      element("span", {}, describe(event, language, cast)),
      points > 0 && element("strong", { "aria-hidden": "true" }, text("pointsGained", { points })),
    );
  }
}
