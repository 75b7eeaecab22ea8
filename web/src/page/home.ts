/** `/`: what is being played now. One table is shown at once, the others are listed. */

import type { LiveMatch } from "../gen/fives/v1/spectate_service_pb.js";
import { MatchState } from "../gen/fives/v1/types_pb.js";
import type { MatchSummary } from "../gen/fives/v1/view_pb.js";
import { pause } from "../client/retry.js";
import { playAddress, watchAddress } from "./addresses.js";
import { element, write } from "./element.js";
import { title } from "./frame.js";
import { text } from "./language.js";
import { seatNames, sideName, targetText } from "./names.js";
import { refusalText } from "./refusal_text.js";
import { houseTable, service } from "./service.js";
import { TablePane } from "./table_pane.js";
import { seenAgain, whileVisible } from "./visible.js";
import { watchMatch } from "./watch.js";

/** How often the lists are asked for, as long as somebody looks. */
const LOOK_EVERY_MS = 3_000;

/** How long a finished table stays, so that its result can be read. */
const RESULT_MS = 6_000;

/** A table on which nothing happens for so long gives way to another one: whoever looks wants to see play. */
const QUIET_MS = 20_000;

export async function homePage(main: HTMLElement): Promise<void> {
  title(text("navTables"));
  const featured = new Featured();
  const live = element("ul", { class: "cards" });
  const liveSection = element("section", { hidden: true }, element("h2", {}, text("moreTables")), live);
  const open = element("ul", { class: "cards" });
  const openSection = element("section", { hidden: true }, element("h2", {}, text("stateOpen")), open);
  const notice = element("p", { class: "notice", role: "alert", hidden: true });
  main.replaceChildren(
    element("h1", {}, text("tagline")),
    element("p", {}, text("pitch")),
    element(
      "p",
      { class: "invitation" },
      element("a", { class: "button first", href: "/play?with=bot" }, text("playBot")),
      element("a", { class: "button", href: "/play" }, text("playFriends")),
    ),
    notice,
    featured.root,
    openSection,
    liveSection,
  );
  let looks = 0;
  for (;;) {
    try {
      const matches = await service.liveMatches();
      await featured.choose(matches);
      const others = matches.filter(({ match }) => match?.matchId !== featured.shown).sort((one, other) => other.watchers - one.watchers);
      list(live, others.map(liveCard));
      liveSection.hidden = others.length === 0;
      // Tables that wait change more slowly.
      if (looks++ % 3 === 0) {
        const waiting = await service.openMatches(20);
        list(open, waiting.map(openCard));
        openSection.hidden = waiting.length === 0;
      }
      notice.hidden = true;
    } catch (error) {
      notice.hidden = false;
      write(notice, refusalText(error));
    }
    await pause(LOOK_EVERY_MS);
    await seenAgain();
  }
}

/** How far a match has come, as far as the list tells. */
function progress(match: MatchSummary | undefined): string {
  return [match?.round, match?.seatOnTurn, ...(match?.scores ?? [])].join(" ");
}

/** The table that is shown at once: of those on which something happens the one that most people watch, or the house's if there is none. */
class Featured {
  private readonly heading = element("a", {}, text("featured"));
  private readonly place = element("div", {});
  readonly root = element("section", { class: "featured", hidden: true }, element("h2", {}, this.heading), this.place);
  /** How far quiet tables had come: while that stays, they are not shown. */
  private readonly quiet = new Map<string, string>();
  private newest: readonly LiveMatch[] = [];
  shown: string | undefined;

  async choose(matches: readonly LiveMatch[]): Promise<void> {
    this.newest = matches;
    for (const id of this.quiet.keys()) if (!matches.some(({ match }) => match?.matchId === id)) this.quiet.delete(id);
    if (this.shown !== undefined) return;
    const most = matches
      .filter(({ match }) => match && this.quiet.get(match.matchId) !== progress(match))
      .reduce<LiveMatch | undefined>((one, other) => (one && one.watchers >= other.watchers ? one : other), undefined);
    const id = most?.match?.matchId ?? (await houseTable());
    if (id !== undefined) void this.show(id);
  }

  private async show(id: string): Promise<void> {
    this.shown = id;
    const pane = new TablePane();
    this.heading.href = watchAddress(id);
    this.place.replaceChildren(pane.root);
    this.root.hidden = false;
    const enough = new AbortController();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const happens = (): void => {
      clearTimeout(silence);
      // Of what happens while nobody looks, nothing is told.
      silence = setTimeout(() => (document.hidden ? happens() : enough.abort()), QUIET_MS);
    };
    happens();
    const seen = ({ fresh }: { fresh: boolean }): void => {
      // A stream that comes again tells what is known already.
      if (!fresh) happens();
    };
    await watchMatch(pane, whileVisible((options) => service.watch(id, options), enough.signal), seen).catch(() => undefined);
    clearTimeout(silence);
    if (enough.signal.aborted) this.quiet.set(id, progress(this.newest.find(({ match }) => match?.matchId === id)?.match));
    else await pause(RESULT_MS);
    this.shown = undefined;
  }
}

/** Replaces only what has changed: whoever has put the focus on a card keeps it. */
function list(place: HTMLElement, cards: readonly HTMLLIElement[]): void {
  const known = new Map(Array.from(place.children, (child) => [(child as HTMLElement).dataset.id, child] as const));
  const next = cards.map((card) => {
    const old = known.get(card.dataset.id);
    if (!old) return card;
    if (old.isEqualNode(card)) return old;
    if (!old.contains(document.activeElement)) {
      old.replaceWith(card);
      return card;
    }
    return old;
  });
  if (next.length !== place.childElementCount || next.some((card, at) => place.children[at] !== card)) place.replaceChildren(...next);
}

function liveCard({ match, watchers }: LiveMatch): HTMLLIElement {
  const names = seatNames(match?.seats ?? []);
  const scores = match?.scores ?? [];
  const label = text("watchTable", { players: names.join(", ") });
  return element(
    "li",
    { class: "card", "data-id": match?.matchId },
    element("a", { href: watchAddress(match?.matchId ?? ""), "aria-label": label }, text("watch")),
    element(
      "dl",
      {},
      ...scores.flatMap((score, side) => [element("dt", {}, sideName(names, scores.length, side)), element("dd", {}, String(score))]),
    ),
    element(
      "p",
      { class: "quiet" },
      [text("tableRound", { round: (match?.round ?? 0) + 1 }), match ? targetText(match) : "", text("tableWatchers", { count: watchers })].join(" · "),
    ),
  );
}

function openCard(match: MatchSummary): HTMLLIElement {
  return element(
    "li",
    { class: "card", "data-id": match.matchId },
    element("a", { href: playAddress(match.matchId) }, text("join")),
    element("p", {}, seatNames(match.seats).join(", ")),
    element("p", { class: "quiet" }, match.state === MatchState.OPEN ? targetText(match) : ""),
  );
}
