/** The service that the page came from. */

import { FivesClient } from "../client/index.js";
import { storage } from "./storage.js";

function heard(event: "online" | "offline") {
  return (act: () => void): (() => void) => {
    addEventListener(event, act);
    return () => removeEventListener(event, act);
  };
}

export const service = new FivesClient({
  baseUrl: location.origin,
  keep: storage,
  network: { lost: heard("offline"), back: heard("online") },
});

/** Asks for a table of bots to look at; its id, or nothing where the service has none. */
export async function houseTable(): Promise<string | undefined> {
  const answer = await fetch("/house-table", { method: "POST" });
  return answer.status === 200 ? (await answer.text()).trim() : undefined;
}
