/** Names of players inside sentences. */

const CONTROLS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\ud802\ud803\ud83a\ud83b]/;

/**
 * A name that cannot turn the sentence around it: controls of direction are taken out, and a name that is written from right to left
 * is isolated.
 */
export function isolated(name: string): string {
  const plain = name.replace(CONTROLS, "");
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}
