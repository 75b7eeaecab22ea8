/** What a text is, and how its placeholders are filled. */

import type { en } from "./en.js";

/** A text, or one for each plural form of its language. */
export type Message = string | ({ readonly other: string } & { readonly [form in Intl.LDMLPluralRule]?: string });

export type MessageKey = keyof typeof en;

/** All texts of one language. */
export type Words = { readonly [key in MessageKey]: Message };

/** A language that the pages speak. */
export interface Language {
  /** Its BCP 47 tag, for `lang`. */
  readonly tag: string;
  /** What it calls itself. */
  readonly name: string;
  readonly words: Words;
}

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;
type Forms<Text> = Text extends string ? Text : Text[keyof Text];

/** What a text wants to have filled in. */
export type Values<Key extends MessageKey> = { readonly [name in Placeholders<Forms<(typeof en)[Key]>>]: name extends "count" ? number : string | number };

/** Nothing more to say for texts without placeholders. */
type Filling<Key extends MessageKey> = keyof Values<Key> extends never ? [] : [values: Values<Key>];

/** The form of a message for a number. */
function formFor(message: Message, tag: string, count: number): string {
  if (typeof message === "string") return message;
  // Browsers leave small languages out; English then counts for them, and not whatever the browser itself speaks.
  return message[new Intl.PluralRules([tag, "en"]).select(count)] ?? message.other;
}

/** A text of a language, filled in. Numbers are written as the language writes them. */
export function say<Key extends MessageKey>(language: Language, key: Key, ...filling: Filling<Key>): string {
  const values: Readonly<Record<string, string | number>> = filling[0] ?? {};
  const form = formFor(language.words[key], language.tag, Number(values.count ?? 0));
  // One pass: what is filled in is never looked at for placeholders again, whatever a player calls himself.
  return form.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (typeof value === "number") return new Intl.NumberFormat([language.tag, "en"]).format(value);
    return value ?? placeholder;
  });
}
