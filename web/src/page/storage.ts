/**
 * What the browser keeps for the pages. Where it keeps nothing (a frame in another site, a full disk), what is written is there until
 * the page is gone: nobody watches less for it.
 */

import { type Keep, memory } from "../client/index.js";

class BrowserKeep implements Keep {
  /** What the browser did not take. */
  private readonly untaken = memory();

  getItem(name: string): string | null {
    return this.untaken.getItem(name) ?? tried((storage) => storage.getItem(name)) ?? null;
  }

  setItem(name: string, value: string): void {
    const isTaken = tried((storage) => {
      storage.setItem(name, value);
      return true;
    });
    if (isTaken) this.untaken.removeItem(name);
    else this.untaken.setItem(name, value);
  }

  removeItem(name: string): void {
    this.untaken.removeItem(name);
    tried((storage) => storage.removeItem(name));
  }

  /** The names of what the browser has taken. */
  names(): string[] {
    return tried((storage) => Object.keys(storage)) ?? [];
  }
}

/** Even to look for the storage is refused where it is blocked. */
function tried<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(localStorage);
  } catch {
    return undefined;
  }
}

/** What was kept as JSON; `undefined` if it is not there, or somebody has broken it. */
export function parsed<T>(text: string | null): T | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

export const storage = new BrowserKeep();
