/** Refusals in words. */

import { type Language, type MessageKey, say } from "./message.js";

/** What a reader is told about each reason of `ErrorReason`; those that a page cannot cause are left to `refusedUnknown`. */
const REASONS = {
  INVALID_FIELD: "refusedInvalid",
  INVALID_OPTIONS: "refusedInvalid",
  ILLEGAL_PLAY: "refusedIllegalPlay",
  NOT_YOUR_TURN: "refusedNotYourTurn",
  OLD_ROUND: "refusedOldRound",
  MATCH_NOT_STARTED: "refusedNotStarted",
  MATCH_ALREADY_STARTED: "refusedAlreadyStarted",
  MATCH_OVER: "refusedMatchOver",
  MATCH_CLOSED: "refusedMatchClosed",
  MATCH_NOT_FINISHED: "refusedNotFinished",
  SEAT_TAKEN: "refusedSeatTaken",
  ALREADY_SEATED: "refusedAlreadySeated",
  SEAT_RESIGNED: "refusedSeatResigned",
  STALE_CURSOR: "refusedStale",
  CONFLICT: "refusedStale",
  MATCH_NOT_FOUND: "refusedMatchNotFound",
  MATCH_ARCHIVED: "refusedArchived",
  INVITE_NOT_FOUND: "refusedInviteNotFound",
  INVITE_EXPIRED: "refusedInviteExpired",
  INVITE_USED_UP: "refusedInviteUsedUp",
  NOT_SEATED: "refusedNotSeated",
  INVITE_REQUIRED: "refusedInviteRequired",
  SPECTATORS_NOT_ALLOWED: "refusedNoSpectators",
  TOKEN_MISSING: "refusedSignIn",
  TOKEN_INVALID: "refusedSignIn",
  TOKEN_EXPIRED: "refusedSignIn",
  TOO_MANY_CALLS: "refusedTooMany",
  TOO_MANY_STREAMS: "refusedTooMany",
  MESSAGE_TOO_LARGE: "refusedInvalid",
  RATE_LIMITED: "refusedTooMany",
  TOO_MANY_TABLES: "refusedTooManyTables",
  DRAINING: "refusedUnavailable",
  STORE_UNAVAILABLE: "refusedUnavailable",
  COMMIT_UNCONFIRMED: "refusedUnavailable",
  DEADLINE: "refusedUnavailable",
} as const satisfies Readonly<Record<string, MessageKey>>;

/** What is told about each reason of `IllegalPlay`, by its number. */
const ILLEGAL = [
  "refusedIllegalPlay",
  "refusedTileNotInHand",
  "refusedAlreadyPlayed",
  "refusedEndRequired",
  "refusedLeadNamesNoEnd",
  "refusedNoMatch",
  "refusedArmClosed",
  "refusedNoSpinner",
] as const satisfies readonly MessageKey[];

/**
 * A refusal in words: `reason` is that of its ErrorInfo, undefined if the connection was lost; `illegal` that of its IllegalPlay, if
 * it has one.
 */
export function explain(language: Language, reason: string | undefined, illegal = 0): string {
  if (reason === undefined) return say(language, "refusedUnavailable");
  if (reason === "ILLEGAL_PLAY") return say(language, ILLEGAL[illegal] ?? "refusedIllegalPlay");
  return say(language, Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS] : "refusedUnknown");
}
