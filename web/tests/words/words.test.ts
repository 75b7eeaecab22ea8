import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ErrorReason, IllegalPlay_Reason } from "../../src/gen/fives/v1/errors_pb.js";
import { ENGLISH, LANGUAGES, languageFor } from "../../src/words/language.js";
import { type Message, type MessageKey, say } from "../../src/words/message.js";
import { isolated } from "../../src/words/name.js";
import { explain } from "../../src/words/refusal.js";

const KEYS = Object.keys(ENGLISH.words) as MessageKey[];

function forms(message: Message): string[] {
  return typeof message === "string" ? [message] : Object.values(message);
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string).sort();
}

test("no language misses a text or has one too many, and none is empty", () => {
  assert.equal(LANGUAGES.length, 4);
  for (const { tag, words } of LANGUAGES) {
    assert.deepEqual(Object.keys(words), KEYS, tag);
    for (const key of KEYS) {
      for (const form of forms(words[key])) assert.ok(form.trim() !== "" && form.trim() === form, `${tag} ${key}`);
    }
  }
});

test("every text is said somewhere", () => {
  const src = join(process.env.FIVES_WEB ?? ".", "src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts") && !/^gen|words.(en|ro|id|lb).ts$/.test(name));
  const code = files.map((name) => readFileSync(join(src, name), "utf8")).join("\n");
  assert.deepEqual(KEYS.filter((key) => !code.includes(`"${key}"`)), []);
});

test("every form of a text has the placeholders of the English one", () => {
  for (const key of KEYS) {
    const wanted = placeholders(forms(ENGLISH.words[key])[0] as string);
    for (const { tag, words } of LANGUAGES) {
      for (const form of forms(words[key])) assert.deepEqual(placeholders(form), wanted, `${tag} ${key}: ${form}`);
    }
  }
});

test("a text that depends on a number has exactly the plural forms of its language", () => {
  for (const { tag, words } of LANGUAGES) {
    const wanted = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted();
    for (const key of KEYS) {
      const message = words[key];
      assert.equal(typeof message, typeof ENGLISH.words[key], `${tag} ${key}`);
      if (typeof message === "object") assert.deepEqual(Object.keys(message).toSorted(), wanted, `${tag} ${key}`);
    }
  }
});

test("other languages are translated", () => {
  // Words that are the same in several languages, and texts that are nothing but placeholders.
  const shared = new Set<MessageKey>(["appName", "tileTitle", "pointsGained", "totalIs", "stateLive", "partners", "opponentsBots", "botName"]);
  for (const { tag, words } of LANGUAGES.slice(1)) {
    const same = KEYS.filter((key) => !shared.has(key) && forms(words[key])[0] === forms(ENGLISH.words[key])[0]);
    assert.deepEqual(same, [], tag);
  }
});

test("numbers choose the form and are written as the language writes them", () => {
  const said = (tag: string, count: number): string => say(languageFor([tag]), "boneyardTitle", { count });
  assert.equal(said("en", 1), "1 tile in the boneyard");
  assert.equal(said("en", 14), "14 tiles in the boneyard");
  assert.deepEqual([1, 2, 0, 14, 20].map((count) => said("ro", count)), [
    "1 piesă în rezervă",
    "2 piese în rezervă",
    "0 piese în rezervă",
    "14 piese în rezervă",
    "20 de piese în rezervă",
  ]);
  assert.equal(said("id", 1), "1 batu di tumpukan");
  assert.equal(said("lb", 2), "2 Steng am Stack");
  assert.equal(say(ENGLISH, "tableWatchers", { count: 12345 }), "12,345 watching");
});

test("what a player calls himself is never read as a placeholder or a pattern", () => {
  const name = "{total} $& $1 {name}";
  assert.equal(say(ENGLISH, "eventPassed", { name }), "{total} $& $1 {name} passes.");
});

test("a name cannot turn the sentence around it", () => {
  assert.equal(isolated("anna"), "anna");
  assert.equal(isolated("an\u202ena\u2069"), "anna");
  assert.equal(isolated("דנה"), "\u2068דנה\u2069");
  assert.equal(isolated("سارة\u202e"), "\u2068سارة\u2069");
});

test("a reader gets the first language of the list that the pages speak", () => {
  assert.equal(languageFor(["fr-FR", "ro-MD", "en"]).tag, "ro");
  assert.equal(languageFor(["in_ID"]).tag, "id");
  assert.equal(languageFor(["lb-LU"]).tag, "lb");
  assert.equal(languageFor(["LB"]).tag, "lb");
  assert.equal(languageFor(["fr", "de"]).tag, "en");
  assert.equal(languageFor([]).tag, "en");
});

test("every reason of a refusal that a page can meet is explained", () => {
  // Mistakes of a program, not of its reader; and what only administrators and faults bring.
  const unexplained = new Set([
    "ERROR_REASON_UNSPECIFIED",
    "UNSPECIFIED",
    "REQUEST_ID_REUSED",
    "PLAYER_NOT_FOUND",
    // What no page asks for: ratings, queues, invites of its own, identities of a platform.
    "NOT_RANKED",
    "QUEUE_NOT_FOUND",
    "ALREADY_QUEUED",
    "MATCH_BEING_MADE",
    "TOO_MANY_INVITES",
    "TOKEN_OF_ISSUER",
    "IDENTITY_TOKEN_REFUSED",
    "IDENTITY_LINKED",
    "PLAYER_LINKED",
    "DEAD_LETTER_NOT_FOUND",
    "ADMIN_TOKEN_MISSING",
    "ADMIN_TOKEN_INVALID",
    "ADMIN_TOKEN_NOT_SET",
    "INTERNAL",
  ]);
  const reasons = Object.values(ErrorReason).filter((reason) => typeof reason === "string");
  assert.ok(reasons.length > 30);
  const unknown = say(ENGLISH, "refusedUnknown");
  for (const reason of reasons) {
    assert.equal(explain(ENGLISH, reason) === unknown, unexplained.has(reason), reason);
  }
  assert.equal(explain(ENGLISH, "constructor"), unknown);
  assert.equal(explain(ENGLISH, undefined), say(ENGLISH, "refusedUnavailable"));
});

test("a field that people fill in is explained, another one is not", () => {
  const said = (...fields: string[]): string => explain(ENGLISH, "INVALID_FIELD", { fields });
  const all = [said("match_id"), said("invite_code"), said("display_name"), said("seat"), said(), said("constructor")];
  const plain = say(ENGLISH, "refusedInvalid");
  assert.deepEqual(all.map((text) => text === plain), [false, false, false, true, true, true]);
  assert.equal(new Set(all).size, 4);
});

test("an illegal play says which rule it breaks", () => {
  const said = (reason: IllegalPlay_Reason): string => explain(ENGLISH, "ILLEGAL_PLAY", { illegal: reason });
  assert.equal(said(IllegalPlay_Reason.TILE_NOT_IN_HAND), "You do not hold this tile.");
  assert.equal(said(IllegalPlay_Reason.ARM_CLOSED), "The arms open once both sides of the spinner are covered.");
  assert.equal(said(IllegalPlay_Reason.NO_SPINNER), "There is no spinner yet, so there are no arms.");
  const all = Object.values(IllegalPlay_Reason).filter((reason) => typeof reason === "number");
  assert.equal(new Set(all.map(said)).size, all.length);
});
