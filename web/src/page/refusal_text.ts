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
