/** Why the service refuses: the catalogue of `proto/fives/v1/errors.proto` as a type, and what comes with a refusal. */

import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorReason, type IllegalPlay, IllegalPlaySchema } from "../gen/fives/v1/errors_pb.js";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../gen/google/rpc/error_details_pb.js";

/** A reason without its prefix, as the service sends it: `NOT_YOUR_TURN`. */
export type Reason = Exclude<keyof typeof ErrorReason, "UNSPECIFIED">;

/** The service has refused a call: it was understood, and unless the reason says otherwise nothing has changed. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(
    readonly reason: Reason,
    readonly code: Code,
    message: string,
    /** What the catalogue names with the reason, as `seat_on_turn`. */
    readonly metadata: Readonly<Record<string, string>>,
    /** What is legal, if the reason is ILLEGAL_PLAY. */
    readonly illegalPlay: IllegalPlay | undefined,
    /** The fields of the request that are wrong, if the reason is INVALID_FIELD or INVALID_OPTIONS. */
    readonly fields: readonly string[],
    /** After how long it can be sent again, if that is any use. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(message);
  }
}

/** The service could not be reached, or the answer was lost: a write is perhaps made. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** What an error of the transport means. Errors that are no answer and no lost connection come back as they are. */
export function meaningOf(error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error;
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === "fives");
  if (info && info.reason in ErrorReason) {
    const [retry] = error.findDetails(RetryInfoSchema);
    const delay = retry?.retryDelay;
    return new Refused(
      info.reason as Reason,
      error.code,
      error.rawMessage,
      info.metadata,
      error.findDetails(IllegalPlaySchema)[0],
      error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations.map(({ field }) => field)),
      delay && Number(delay.seconds) * 1_000 + delay.nanos / 1e6,
    );
  }
  // A newer service has reasons that this program does not know: refused it is all the same.
  if (info) return error;
  // Whoever stands between (a proxy, the network) knows no reasons. What no wait can heal is a mistake of this program.
  const isOurs = [Code.InvalidArgument, Code.Unimplemented, Code.NotFound, Code.PermissionDenied, Code.Unauthenticated];
  return isOurs.includes(error.code) ? error : new Unreachable(error.rawMessage, { cause: error });
}

/** Whether the service itself says that a write is perhaps made. */
export function isUnsure(error: unknown): boolean {
  return error instanceof Refused && ["COMMIT_UNCONFIRMED", "DEADLINE", "INTERNAL"].includes(error.reason);
}

/** Whether the same request can be sent again later with another outcome. */
export function mayPass(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refused && (error.retryAfterMs !== undefined || error.reason === "DEADLINE"));
}
