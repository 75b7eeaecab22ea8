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
  SCOPE_MISSING: "refusedCasterToken",
  TOKEN_NOT_YET_VALID: "refusedCasterToken",
  ISSUER_UNAVAILABLE: "refusedUnavailable",
  SEAT_NOT_KEPT: "refusedStale",
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

/** What is told about a field that people fill in, or that stands in a link. */
const FIELDS = {
  match_id: "refusedMatchNotFound",
  invite_code: "refusedCodeMistyped",
  display_name: "refusedName",
} as const satisfies Readonly<Record<string, MessageKey>>;

/** What else is known of a refusal. */
export interface Details {
  /** The reason of its IllegalPlay. */
  readonly illegal?: number | undefined;
  /** The fields that its BadRequest names. */
  readonly fields?: readonly string[];
}

/** A refusal in words: `reason` is that of its ErrorInfo, undefined if the connection was lost. */
export function explain(language: Language, reason: string | undefined, { illegal = 0, fields = [] }: Details = {}): string {
  if (reason === undefined) return say(language, "refusedUnavailable");
  if (reason === "ILLEGAL_PLAY") return say(language, ILLEGAL[illegal] ?? "refusedIllegalPlay");
  const [field = ""] = fields;
  if (Object.hasOwn(FIELDS, field)) return say(language, FIELDS[field as keyof typeof FIELDS]);
  return say(language, Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS] : "refusedUnknown");
}
