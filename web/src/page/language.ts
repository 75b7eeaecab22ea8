/** Which language the page speaks: the one asked for (`?lang=`), the one chosen before, or the first of the browser's that there is. */

import { LANGUAGES, languageFor } from "../words/language.js";
import { type Language, type MessageKey, type Values, say } from "../words/message.js";
import { storage } from "./storage.js";

const CHOSEN = "fives.language";

function find(tag: string | null): Language | undefined {
  return LANGUAGES.find((language) => language.tag === tag);
}

export const language: Language =
  find(new URLSearchParams(location.search).get("lang")) ?? find(storage.getItem(CHOSEN)) ?? languageFor(navigator.languages);

export function choose(tag: string): void {
  storage.setItem(CHOSEN, tag);
  const address = new URL(location.href);
  address.searchParams.delete("lang");
  // Only the same page again would be no new one.
  history.replaceState(null, "", address);
  location.reload();
}

/** A text in the language of the page. */
export function text<Key extends MessageKey>(key: Key, ...filling: keyof Values<Key> extends never ? [] : [values: Values<Key>]): string {
  return say(language, key, ...filling);
}
