/**
 * What the address of an embedded table says about its looks. A streaming program has no other way in: the policy of the page lets nobody add a
 * style sheet. Whatever is wrong is as if it were not there.
 */

/** The colours of the page around: a frame is transparent only if it has the same. */
export type Scheme = "light" | "dark" | "auto";

const SCHEMES: readonly Scheme[] = ["light", "dark", "auto"];

/** Three, four, six or eight digits; with four and eight the last ones say how opaque. */
const COLOUR = /^#?([\da-f]{3}|[\da-f]{4}|[\da-f]{6}|[\da-f]{8})$/i;

const SCALE_LEAST = 0.5;
const SCALE_MOST = 3;

export class EmbedLook {
  private constructor(
    readonly scheme: Scheme,
    /** Whether the scores are drawn. */
    readonly tracks: boolean,
    /** Whether the seats with their hands are drawn. */
    readonly seats: boolean,
    /** The colour of the table, `#rrggbbaa` or shorter; nothing, if left out. */
    readonly felt: string | undefined,
    /** How much larger than the window calls for. */
    readonly scale: number,
  ) {}

  static of(query: URLSearchParams): EmbedLook {
    const scheme = SCHEMES.find((one) => one === query.get("scheme")) ?? "light";
    const felt = COLOUR.exec(query.get("felt") ?? "")?.[1];
    const scale = Number(query.get("scale") || NaN);
    return new EmbedLook(
      scheme,
      query.get("tracks") !== "0",
      query.get("seats") !== "0",
      felt && `#${felt}`,
      scale >= SCALE_LEAST && scale <= SCALE_MOST ? scale : 1,
    );
  }
}
