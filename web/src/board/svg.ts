/** SVG elements, made once and kept for as long as what they show is there. */

const SVG = "http://www.w3.org/2000/svg";

export type Attributes = Readonly<Record<string, string | number>>;

/** A length with no more digits than a screen shows. */
function written(value: string | number): string {
  return typeof value === "number" ? String(Math.round(value * 1000) / 1000) : value;
}

/** Sets attributes; those that have the value already are left alone. */
export function set(element: SVGElement, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = written(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** A new element in the document of another one. */
export function make<Tag extends keyof SVGElementTagNameMap>(owner: Element, tag: Tag, attributes: Attributes = {}): SVGElementTagNameMap[Tag] {
  const element = owner.ownerDocument.createElementNS(SVG, tag);
  set(element, attributes);
  return element;
}

/** A new element at the end of another one. */
export function add<Tag extends keyof SVGElementTagNameMap>(parent: Element, tag: Tag, attributes: Attributes = {}): SVGElementTagNameMap[Tag] {
  const element = make(parent, tag, attributes);
  parent.append(element);
  return element;
}

/** Sets a text if it is another one. Always as text: a name may look like markup. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** What an element is called when pointed at and by screen readers. */
export function entitle(element: SVGElement, title: string): void {
  const first = element.firstElementChild;
  const bearer = first?.tagName === "title" ? first : make(element, "title");
  if (bearer !== first) element.prepend(bearer);
  write(bearer, title);
  set(element, { role: "img", "aria-label": title });
}

/** The children of a group, by a key each: drawn again they are the same elements, so that a change can be animated. */
export class Keyed<Child extends SVGElement> {
  readonly #children = new Map<string, Child>();
  #drawn = new Set<string>();

  constructor(readonly group: SVGElement) {}

  /** The child of a key, made and appended if it is new. */
  child(key: string, create: () => Child): Child {
    this.#drawn.add(key);
    const known = this.#children.get(key);
    if (known) return known;
    const child = create();
    this.group.append(child);
    this.#children.set(key, child);
    return child;
  }

  /** Whether a child has this key. */
  has(key: string): boolean {
    return this.#children.has(key);
  }

  /** Takes away what was not drawn since the last sweep. */
  sweep(): void {
    for (const [key, child] of this.#children) {
      if (this.#drawn.has(key)) continue;
      child.remove();
      this.#children.delete(key);
    }
    this.#drawn = new Set();
  }
}
