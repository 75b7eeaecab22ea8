/** Events in words, for the list of plays and for screen readers. */

import type { Event, RoundEnded, TilePlayed } from "../gen/fives/v1/event_pb.js";
import { RoundResult, type Play, type Tile } from "../gen/fives/v1/types_pb.js";
import { END_KEYS, letterOf } from "./end.js";
import { type Language, type MessageKey, say } from "./message.js";
import { isolated } from "./name.js";

/** How the events of a match call those who play it. */
export interface Cast {
  /** What a seat is called. */
  seat(seat: number): string;
  /** What a side is called: a seat, or two partners. */
  side(side: number): string;
}

function tileText(tile: Tile | undefined): string {
  return tile ? `${tile.high}-${tile.low}` : "";
}

/** A play as the rules write it: `6-4@L`, or `6-4` for a lead. */
export function notation(play: Play): string {
  const letter = letterOf(play.end);
  return letter === undefined ? tileText(play.tile) : `${tileText(play.tile)}@${letter}`;
}

function playInWords(played: TilePlayed, name: string, language: Language): string {
  const { play, total, points } = played;
  const tile = tileText(play?.tile);
  const end = letterOf(play?.end);
  if (end === undefined) {
    return points > 0
      ? say(language, "eventLedScoring", { name, tile, total, count: points })
      : say(language, "eventLed", { name, tile, total });
  }
  const where = say(language, END_KEYS[end]);
  return points > 0
    ? say(language, "eventPlayedScoring", { name, tile, end: where, total, count: points })
    : say(language, "eventPlayed", { name, tile, end: where, total });
}

/** How a round ended, and what it costs each side. */
function roundEndInWords(ended: RoundEnded, leader: string, cast: Cast, language: Language): string {
  const round = ended.round + 1;
  const how = (): string => {
    switch (ended.result) {
      case RoundResult.OUT:
        return say(language, "eventRoundOut", { round, name: cast.seat(ended.outSeat ?? 0) });
      case RoundResult.TARGET:
        return say(language, "eventRoundTarget", { round, name: leader });
      case RoundResult.RESIGNED:
        return say(language, "eventRoundResigned", { round });
      default:
        return say(language, "eventRoundBlocked", { round });
    }
  };
  const costs = ended.subtracted.flatMap((count, side) =>
    count > 0 ? [say(language, "eventSubtracted", { name: cast.side(side), count })] : [],
  );
  return [how(), ...costs].join(" ");
}

/** The side with the most points: in the middle of a round only the side that has just scored can have reached the target. */
function ahead(scores: readonly number[]): number {
  return scores.indexOf(Math.max(...scores));
}

/** What is told about each change of an invite, by its number. */
const INVITE_CHANGES = ["eventUnknown", "eventInvited", "eventInviteUsed", "eventInviteRevoked"] as const satisfies readonly MessageKey[];

/** An event in a sentence or two. */
export function describe(event: Event, language: Language, cast: Cast): string {
  const safe: Cast = { seat: (seat) => isolated(cast.seat(seat)), side: (side) => isolated(cast.side(side)) };
  const { kind } = event;
  switch (kind.case) {
    case "matchCreated":
      return say(language, "eventCreated");
    case "seatTaken":
      return say(language, "eventSeatTaken", { name: isolated(kind.value.displayName) });
    case "seatLeft":
      return say(language, "eventSeatLeft", { seat: kind.value.seat + 1 });
    case "matchStarted":
      return say(language, "eventStarted");
    case "matchClosed":
      return say(language, "eventClosed");
    case "roundStarted":
      return say(language, "eventRoundStarted", { round: kind.value.round + 1, name: safe.seat(kind.value.starter) });
    case "tilesDrawn": {
      const { seat, count, tiles } = kind.value;
      const name = safe.seat(seat);
      return tiles.length > 0
        ? say(language, "eventDrewTiles", { name, tiles: tiles.map(tileText).join(", ") })
        : say(language, "eventDrew", { name, count });
    }
    case "turnPassed":
      return say(language, "eventPassed", { name: safe.seat(kind.value.seat) });
    case "tilePlayed":
      return playInWords(kind.value, safe.seat(kind.value.seat), language);
    case "roundEnded":
      return roundEndInWords(kind.value, safe.side(ahead(kind.value.scores)), safe, language);
    case "seatResigned":
      return say(language, kind.value.botKind === 0 ? "eventResigned" : "eventResignedBot", { name: safe.seat(kind.value.seat) });
    case "matchEnded": {
      const winner = kind.value.outcome?.winnerSide;
      return winner === undefined ? say(language, "eventDraw") : say(language, "eventWon", { name: safe.side(winner) });
    }
    case "turnTimedOut":
      return say(language, "eventTimedOut", { name: safe.seat(kind.value.seat), count: kind.value.missedTurns });
    case "seatKeptByBot":
      return say(language, "eventKept", { name: safe.seat(kind.value.seat) });
    case "seatReclaimed":
      return say(language, "eventReclaimed", { name: safe.seat(kind.value.seat) });
    case "matchVoided":
      return say(language, "eventVoided");
    case "turnWaiting":
      return say(language, "eventAway", { name: safe.seat(kind.value.seat) });
    case "inviteChanged":
      return say(language, INVITE_CHANGES[kind.value.change] ?? "eventUnknown");
    default:
      return say(language, "eventUnknown");
  }
}
