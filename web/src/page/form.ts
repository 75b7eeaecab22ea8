/** Forms: what is asked for, and what is said when it was refused. */

import { element, write } from "./element.js";
import { text } from "./language.js";
import { refusalText } from "./refusal_text.js";

/** A form that says why it was refused, and cannot be sent twice at once. */
export function form(fields: readonly Node[], label: string, send: () => Promise<void>): HTMLFormElement {
  const notice = element("p", { class: "notice", role: "alert", hidden: true });
  const button = element("button", {}, label);
  return element(
    "form",
    {
      class: "card",
      on: {
        submit: (event) => {
          event.preventDefault();
          button.disabled = true;
          notice.hidden = true;
          send()
            .catch((error: unknown) => {
              notice.hidden = false;
              write(notice, refusalText(error));
            })
            .finally(() => (button.disabled = false));
        },
      },
    },
    ...fields,
    notice,
    button,
  );
}

export interface Field<Value> {
  readonly root: HTMLElement;
  value(): Value;
}

export function choice<Value extends string>(label: string, options: readonly (readonly [Value, string])[], usual?: Value): Field<Value> {
  const select = element("select", {});
  select.append(...options.map(([value, name]) => element("option", { value, selected: value === usual }, name)));
  return { root: element("label", {}, label, select), value: () => select.value as Value };
}

export function tick(label: string, checked: boolean): Field<boolean> {
  const box = element("input", { type: "checkbox", checked });
  return { root: element("label", { class: "tick" }, box, label), value: () => box.checked };
}

/** The code of a private table. */
export function codeField(): Field<string> {
  const code = element("input", { name: "code", required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
  return { root: element("label", {}, text("inviteCode"), code), value: () => code.value.trim() };
}
