/** A private match opens with its code. */

import { element } from "./element.js";
import { text } from "./language.js";

/** Asks for the code; `open` is what it is wanted for, as `label` says. */
export function askForCode(main: HTMLElement, label: string, open: (code: string) => void): void {
  const code = element("input", { name: "code", required: true, autocomplete: "off", autocapitalize: "characters" });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    open(code.value);
  };
  main.replaceChildren(
    element(
      "form",
      { class: "card", on: { submit } },
      element("p", {}, text("refusedInviteRequired")),
      element("label", {}, text("inviteCode"), code),
      element("button", {}, label),
    ),
  );
}
