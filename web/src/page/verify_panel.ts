import { element } from "./element.js";
export function verifyPanel(_json: string, _commitment: Uint8Array): HTMLElement {
  return element("section", {});
}
