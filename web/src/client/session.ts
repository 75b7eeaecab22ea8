/** Who calls: a guest, whose device key is kept by whoever uses this, and the token that goes along with calls. */

import type { Interceptor } from "@connectrpc/connect";
import type { Player } from "../gen/fives/v1/types_pb.js";

/** So many random bytes as text. (`crypto.randomUUID` is only there on pages that came over HTTPS.) */
export function randomHex(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Where the device key and the token are kept; `localStorage` is one. */
export interface Keep {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** A keep that is gone with the program. */
export function memory(): Keep {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}

/** The player of this device, once signed in. */
export interface Me {
  readonly playerId: string;
  readonly displayName: string;
}

const DEVICE_KEY = "fives.device-key";
const TOKEN = "fives.token";
const ME = "fives.me";

/** Whoever was kept; nobody, if that cannot be read. */
function meIn(text: string | null): Me | undefined {
  try {
    const { playerId, displayName } = JSON.parse(text ?? "") as Partial<Me>;
    return playerId && displayName ? { playerId, displayName } : undefined;
  } catch {
    return undefined;
  }
}

/** What is known of the player of this device. */
export class Session {
  constructor(private readonly keep: Keep) {}

  /** The secret that finds the same player again; made when it is first needed. */
  deviceKey(): string {
    const known = this.keep.getItem(DEVICE_KEY);
    if (known) return known;
    const made = randomHex(24);
    this.keep.setItem(DEVICE_KEY, made);
    return made;
  }

  get me(): Me | undefined {
    return this.keep.getItem(TOKEN) ? meIn(this.keep.getItem(ME)) : undefined;
  }

  signedIn(player: Player, token: string): Me {
    this.keep.setItem(TOKEN, token);
    return this.named(player);
  }

  named(player: Player): Me {
    const me: Me = { playerId: player.playerId, displayName: player.displayName };
    this.keep.setItem(ME, JSON.stringify(me));
    return me;
  }

  /** Forgets the token, not the device key: signing in again finds the same player. */
  tokenRefused(): void {
    this.keep.removeItem(TOKEN);
  }

  /** Sends the token along with each call, if there is one and the call brings none of its own. */
  readonly signed: Interceptor = (next) => (request) => {
    const token = this.keep.getItem(TOKEN);
    if (token && !request.header.has("authorization")) request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}
