/** Why something did not happen, in words. */

import { Refused, Unreachable, meaningOf } from "../client/index.js";
import { explain } from "../words/refusal.js";
import { language, text } from "./language.js";

export function refusalText(error: unknown): string {
  const meaning = meaningOf(error);
  if (meaning instanceof Unreachable) return explain(language, undefined);
  if (!(meaning instanceof Refused)) return text("refusedUnknown");
  return explain(language, meaning.reason, { illegal: meaning.illegalPlay?.reason, fields: meaning.fields });
}

/** Why a match that an address names is not shown. */
export function matchRefusalText(error: unknown): string {
  const meaning = meaningOf(error);
  // What is no id at all names no match either.
  if (meaning instanceof Refused && meaning.reason === "INVALID_FIELD") return explain(language, "MATCH_NOT_FOUND");
  return refusalText(error);
}
