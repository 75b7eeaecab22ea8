/** A line to be copied: marked when it is reached, copied by a button that says so. */

import { element, write } from "./element.js";
import { text } from "./language.js";

export interface CopyField {
  readonly shown: HTMLInputElement;
  readonly button: HTMLButtonElement;
  /** Tells screen readers that it is copied. */
  readonly copied: HTMLElement;
}

export function copyField(label: string, value: string): CopyField {
  const shown = element("input", { readonly: true, value, "aria-label": label, on: { focus: () => shown.select() } });
  const copied = element("span", { class: "unseen", role: "status" });
  const word = element("span", {}, text("copy"));
  const copy = async (): Promise<void> => {
    shown.select();
    // Without HTTPS there is no clipboard: then it is marked, ready to be copied by hand.
    await navigator.clipboard?.writeText(value);
    if (navigator.clipboard) for (const place of [word, copied]) write(place, text("copied"));
  };
  const again = (): void => {
    write(word, text("copy"));
    write(copied, "");
  };
  const on = { click: () => void copy().catch(() => undefined), blur: again };
  const button = element("button", { type: "button", on }, word, element("span", { class: "unseen" }, ` ${label}`));
  return { shown, button, copied };
}
