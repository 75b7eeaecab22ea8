/** The check of the deals in words. */

import type { Step, Verdict } from "../verify/verify.js";
import { type Language, type MessageKey, say } from "./message.js";

const VERDICTS = {
  proved: "verifyPassed",
  refuted: "verifyFailed",
  unproved: "verifyNoProof",
  unreadable: "verifyUnreadable",
} as const satisfies Readonly<Record<Verdict, MessageKey>>;

/** What was checked; whether it was right is said beside it (`verifyStepPassed`, `verifyStepFailed`). */
export function stepInWords({ key, round = 0 }: Step, language: Language): string {
  return key === "verifyMaster" || key === "verifyShown" ? say(language, key) : say(language, key, { round });
}

export function verdictInWords(verdict: Verdict, language: Language): string {
  return say(language, VERDICTS[verdict]);
}
