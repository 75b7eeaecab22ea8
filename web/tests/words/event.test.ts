import assert from "node:assert/strict";
import { test } from "node:test";

import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { EventSchema, InviteChanged_Change } from "../../src/gen/fives/v1/event_pb.js";
import { BotKind, End, RoundResult } from "../../src/gen/fives/v1/types_pb.js";
import { type Cast, describe, notation } from "../../src/words/event.js";
import { ENGLISH, LANGUAGES, languageFor } from "../../src/words/language.js";

type Kind = NonNullable<MessageInitShape<typeof EventSchema>["kind"]>;

const CAST: Cast = { seat: (seat) => ["Anna", "Bela", "Carl", "Dora"][seat] ?? "?", side: (side) => ["Anna", "Bela"][side] ?? "?" };

function said(kind: Kind, language = ENGLISH): string {
  return describe(create(EventSchema, { kind }), language, CAST);
}

const played = (end: End, points: number): Kind => ({
  case: "tilePlayed",
  value: { seat: 1, play: { tile: { high: 6, low: 4 }, end }, total: 10, points, scores: [0, points] },
});

const ended = (result: RoundResult): Kind => ({
  case: "roundEnded",
  value: { round: 0, result, outSeat: 1, subtracted: [25, 0], scores: [-25, 40] },
});

/** One of each kind, and what it is in English. */
const EVENTS: readonly [Kind, string][] = [
  [{ case: "matchCreated", value: {} }, "The table was opened."],
  [{ case: "seatTaken", value: { seat: 0, displayName: "Anna" } }, "Anna sits down."],
  [{ case: "seatLeft", value: { seat: 2 } }, "Seat 3 is open again."],
  [{ case: "matchStarted", value: {} }, "The match begins."],
  [{ case: "matchClosed", value: {} }, "The table was closed before the match began."],
  [{ case: "roundStarted", value: { round: 2, starter: 1 } }, "Round 3 is dealt. Bela leads."],
  [{ case: "tilesDrawn", value: { seat: 0, count: 1 } }, "Anna draws 1 tile."],
  [{ case: "tilesDrawn", value: { seat: 0, count: 3 } }, "Anna draws 3 tiles."],
  [{ case: "tilesDrawn", value: { seat: 0, count: 2, tiles: [{ high: 3, low: 0 }, { high: 6, low: 3 }] } }, "Anna draws 3-0, 6-3."],
  [{ case: "turnPassed", value: { seat: 3 } }, "Dora passes."],
  [played(End.UNSPECIFIED, 10), "Bela leads 6-4. Total 10: 10 points."],
  [played(End.UNSPECIFIED, 0), "Bela leads 6-4. Total 10."],
  [played(End.LEFT, 10), "Bela plays 6-4 at the left end. Total 10: 10 points."],
  [played(End.SOUTH, 0), "Bela plays 6-4 at the lower arm. Total 10."],
  [ended(RoundResult.OUT), "Round 1 is over: Bela is out. Anna lost 25 points."],
  [ended(RoundResult.BLOCKED), "Round 1 is over: nobody can play. Anna lost 25 points."],
  [ended(RoundResult.TARGET), "Round 1 is over: Bela reached the target. Anna lost 25 points."],
  [ended(RoundResult.RESIGNED), "Round 1 is over: a player gave up. Anna lost 25 points."],
  [{ case: "seatResigned", value: { seat: 2, botKind: BotKind.GREEDY } }, "Carl gives up. A bot plays on."],
  [{ case: "seatResigned", value: { seat: 2 } }, "Carl gives up."],
  [{ case: "matchEnded", value: { outcome: { winnerSide: 0 } } }, "The match is over: Anna won."],
  [{ case: "matchEnded", value: { outcome: {} } }, "The match is over: a draw."],
  [{ case: "turnTimedOut", value: { seat: 0, missedTurns: 2 } }, "Anna did not play in time (2 turns missed)."],
  [{ case: "seatKeptByBot", value: { seat: 0, botKind: BotKind.GREEDY } }, "A bot plays for Anna from now on."],
  [{ case: "seatReclaimed", value: { seat: 0 } }, "Anna is back."],
  [{ case: "matchVoided", value: {} }, "An administrator ended the match without a result."],
  [{ case: "turnWaiting", value: { seat: 2 } }, "Carl is away; the turn waits."],
  [{ case: "inviteChanged", value: { change: InviteChanged_Change.MADE } }, "Somebody is invited."],
  [{ case: "inviteChanged", value: { change: InviteChanged_Change.USED } }, "Somebody comes with an invite."],
  [{ case: "inviteChanged", value: { change: InviteChanged_Change.REVOKED } }, "An invite is taken back."],
  [{ case: undefined }, "Something happened that this page does not know."],
];

test("every kind of event has its sentence", () => {
  for (const [kind, sentence] of EVENTS) assert.equal(said(kind), sentence);
  const kinds = EventSchema.oneofs[0]?.fields.map((field) => field.localName) ?? [];
  assert.equal(kinds.length, 18);
  for (const kind of kinds) assert.ok(EVENTS.some(([event]) => event.case === kind), `${kind} is tried`);
});

test("no language leaves a placeholder open in any event", () => {
  for (const language of LANGUAGES) {
    for (const [kind] of EVENTS) assert.doesNotMatch(said(kind, language), /[{}]|undefined|NaN/, language.tag);
  }
});

test("the other languages say it, too", () => {
  assert.equal(said(played(End.NORTH, 20), languageFor(["ro"])), "Bela joacă 6-4 la brațul de sus. Total 10: 20 de puncte.");
  assert.equal(said(played(End.RIGHT, 10), languageFor(["id"])), "Bela memasang 6-4 di ujung kanan. Jumlah 10: 10 poin.");
  assert.equal(said(played(End.LEFT, 10), languageFor(["lb"])), "Bela leet 6-4 (lénkst Enn). Total 10: 10 Punkten.");
});

test("a play is written as the rules write it", () => {
  const written = (end: End): string => {
    const event = create(EventSchema, { kind: played(end, 0) });
    return event.kind.case === "tilePlayed" && event.kind.value.play ? notation(event.kind.value.play) : "";
  };
  assert.deepEqual([End.UNSPECIFIED, End.LEFT, End.RIGHT, End.NORTH, End.SOUTH].map(written), ["6-4", "6-4@L", "6-4@R", "6-4@N", "6-4@S"]);
});

test("a hostile name stays a name", () => {
  const hostile: Cast = { seat: () => "<b>{tile}\u202e</b>", side: () => "x" };
  const event = create(EventSchema, { kind: { case: "turnPassed", value: { seat: 0 } } });
  assert.equal(describe(event, ENGLISH, hostile), "<b>{tile}</b> passes.");
});
