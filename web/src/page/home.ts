/** `/`: what is being played now. One table is shown at once, the others are listed. */

import type { LiveMatch } from "../gen/fives/v1/spectate_service_pb.js";
import { MatchState } from "../gen/fives/v1/types_pb.js";
import type { MatchSummary } from "../gen/fives/v1/view_pb.js";
import { pause } from "../client/retry.js";
import { element, write } from "./element.js";
import { title } from "./frame.js";
import { text } from "./language.js";
import { seatNames, sideName } from "./names.js";
import { refusalText } from "./refusal_text.js";
import { houseTable, service } from "./service.js";
import { TablePane } from "./table_pane.js";
import { watchMatch } from "./watch.js";

/** How often the lists are asked for, as long as somebody looks. */
const LOOK_EVERY_MS = 3_000;

/** How long a finished table stays, so that its result can be read. */
const RESULT_MS = 6_000;

export async function homePage(main: HTMLElement): Promise<void> {
  title(text("navTables"));
  const featured = new Featured();
  const live = element("ul", { class: "cards" });
  const open = element("ul", { class: "cards" });
  const openSection = element("section", { hidden: true }, element("h2", {}, text("stateOpen")), open);
  const notice = element("p", { class: "notice", role: "alert", hidden: true });
  const nothing = element("p", { class: "quiet", hidden: true }, text("noTables"));
  main.replaceChildren(
    element("h1", {}, text("tagline")),
    notice,
    featured.root,
    element("section", {}, element("h2", {}, text("moreTables")), nothing, live),
    openSection,
    element("p", {}, element("a", { class: "button", href: "/play" }, text("navPlay"))),
  );
  let looks = 0;
  for (;;) {
    try {
      const matches = await service.liveMatches();
      await featured.choose(matches);
      list(live, matches.map(liveCard));
      nothing.hidden = matches.length > 0;
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
    while (document.hidden) await new Promise((shown) => document.addEventListener("visibilitychange", shown, { once: true }));
  }
}

/** The table that is shown at once: the one that most people watch, or the house's if there is none. */
class Featured {
  private readonly heading = element("a", {}, text("featured"));
  private readonly place = element("div", {});
  readonly root = element("section", { class: "featured" }, element("h2", {}, this.heading), this.place);
  private shown: string | undefined;

  async choose(matches: readonly LiveMatch[]): Promise<void> {
    if (this.shown !== undefined) return;
    const most = matches.reduce<LiveMatch | undefined>((one, other) => (one && one.watchers >= other.watchers ? one : other), undefined);
    const id = most?.match?.matchId ?? (await houseTable());
    if (id !== undefined) void this.show(id);
  }

  private async show(id: string): Promise<void> {
    this.shown = id;
    const pane = new TablePane();
    this.heading.href = `/watch/${id}`;
    this.place.replaceChildren(pane.root);
    await watchMatch(pane, service.watch(id)).catch(() => undefined);
    await pause(RESULT_MS);
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
    element("a", { href: `/watch/${match?.matchId}`, "aria-label": label }, text("watch")),
    element(
      "dl",
      {},
      ...scores.flatMap((score, side) => [element("dt", {}, sideName(names, scores.length, side)), element("dd", {}, String(score))]),
    ),
    element(
      "p",
      { class: "quiet" },
      [text("tableRound", { round: (match?.round ?? 0) + 1 }), targetText(match), text("tableWatchers", { count: watchers })].join(" · "),
    ),
  );
}

function openCard(match: MatchSummary): HTMLLIElement {
  return element(
    "li",
    { class: "card", "data-id": match.matchId },
    element("a", { href: `/play?match=${match.matchId}` }, text("join")),
    element("p", {}, seatNames(match.seats).join(", ")),
    element("p", { class: "quiet" }, match.state === MatchState.OPEN ? targetText(match) : ""),
  );
}

function targetText(match: MatchSummary | undefined): string {
  return text("tableTarget", { target: match?.options?.targetPoints ?? 0 });
}
