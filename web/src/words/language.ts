/** The languages that the pages speak, and which of them suits a reader. */

import { en } from "./en.js";
import { id } from "./id.js";
import { lb } from "./lb.js";
import type { Language } from "./message.js";
import { ro } from "./ro.js";

export const ENGLISH: Language = { tag: "en", name: "English", words: en };

/** All of them, English first. */
export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  { tag: "ro", name: "Română", words: ro },
  { tag: "id", name: "Bahasa Indonesia", words: id },
  { tag: "lb", name: "Lëtzebuergesch", words: lb },
];

/** Tags that some systems still use for the same languages. */
const OLD_TAGS: Readonly<Record<string, string>> = { in: "id", mo: "ro", ltz: "lb" };

/** The first language of a reader's list (`navigator.languages`) that the pages speak; English for everybody else. */
export function languageFor(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const primary = (tag.split(/[-_]/)[0] ?? "").toLowerCase();
    const known = LANGUAGES.find((language) => language.tag === (OLD_TAGS[primary] ?? primary));
    if (known) return known;
  }
  return ENGLISH;
}
