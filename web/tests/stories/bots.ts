/** Matches that bots play by themselves. */

import { BotKind, FivesClient, MatchVisibility } from "../../src/client/index.js";

/** A seat for who makes the match, and one for whoever comes. */
export const SELF = { occupant: { case: "me", value: {} } } as const;
export const OPEN = { occupant: { case: "open", value: {} } } as const;

/** Between as many bots as wanted, to so many points; its id. */
export async function botsMatch(address: string, targetPoints: number, seats = 2, spectatorDelayS = 0): Promise<string> {
  const client = new FivesClient({ baseUrl: address });
  await client.signIn("gustav");
  const bot = { occupant: { case: "bot", value: BotKind.GREEDY } } as const;
  const wish = { seats: Array.from({ length: seats }, () => bot), visibility: MatchVisibility.PUBLIC, spectatorsAllowed: true, spectatorDelayS, options: { targetPoints } };
  return (await client.create(wish)).matchId;
}
