/** A private match opens with its code. */

import { element } from "./element.js";
import { codeField, form } from "./form.js";
import { text } from "./language.js";

/** Asks for the code, until `open` takes one: it shows what the code is wanted for, as `label` says, or throws why not. */
export function askForCode(main: HTMLElement, label: string, open: (code: string) => Promise<void>): void {
  const code = codeField();
  main.replaceChildren(form([element("p", {}, text("refusedInviteRequired")), code.root], label, () => open(code.value())));
}
