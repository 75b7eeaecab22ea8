/** Elements made from code. Text becomes text nodes, never markup: names are hostile. */

type Child = Node | string | undefined | false;

interface Given {
  readonly class?: string;
  readonly on?: { readonly [name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[name]) => void };
  readonly [attribute: string]: unknown;
}

/** An element with attributes, listeners and children. An attribute that is `true` is there, one that is `false` or absent is not. */
export function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, given: Given = {}, ...children: Child[]): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value as Record<string, EventListener>)) made.addEventListener(event, listener);
    } else if (value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  made.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return made;
}

/** Whether a button is of use just now. Unlike `disabled` this takes nobody's focus, and it can be pressed all the same. */
export function setDisabled(button: Element, isDisabled: boolean): void {
  if (isDisabled) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

/** Writes a text only where it has changed, so that screen readers and the browser have nothing to do otherwise. */
export function write(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
