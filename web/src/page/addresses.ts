/** Where the pages are. */

function withQuery(path: string, said: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(said).filter(([, value]) => value !== "")).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** Where a table is watched; `code` opens a private one. */
export function watchAddress(matchId: string, code = "", more: Readonly<Record<string, string>> = {}): string {
  return withQuery(`/watch/${matchId}`, { ...more, code });
}

/** Where one sits down at a table, or goes on playing at it. */
export function playAddress(matchId: string, code = ""): string {
  return withQuery("/play", { match: matchId, code });
}

export function replayAddress(matchId: string, code = ""): string {
  return withQuery(`/replay/${matchId}`, { code });
}

/** An address as others can open it. */
export function whole(address: string): string {
  return new URL(address, location.origin).href;
}
