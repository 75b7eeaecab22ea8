/** What a page costs the browser, as its own counters tell. */

import type { Page } from "playwright-core";

export interface Costs {
  /** How long the page's thread was busy since the last time that it was asked for, and how long with scripts, in milliseconds. */
  readonly busyMs: number;
  readonly scriptMs: number;
  /** What lives, once the garbage is gone. */
  readonly heapBytes: number;
  readonly nodes: number;
}

/** What the profiler calls the time in which no script runs. */
const NO_SCRIPT: ReadonlySet<string> = new Set(["(idle)", "(program)", "(garbage collector)"]);

/** Begins to count; gives what asks for the counters. */
export async function counting(page: Page): Promise<() => Promise<Costs>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  await devtools.send("Profiler.enable");
  // Fine enough for an update, which takes a few milliseconds.
  await devtools.send("Profiler.setSamplingInterval", { interval: 200 });
  const metric = async (wanted: string) => (await devtools.send("Performance.getMetrics")).metrics.find(({ name }) => name === wanted)?.value ?? 0;
  const begin = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    await devtools.send("Profiler.start");
    return 1e3 * (await metric("TaskDuration"));
  };
  let since = await begin();
  return async () => {
    const { profile } = await devtools.send("Profiler.stop");
    const busyMs = 1e3 * (await metric("TaskDuration")) - since;
    const silent = new Set(profile.nodes.filter(({ callFrame }) => NO_SCRIPT.has(callFrame.functionName)).map(({ id }) => id));
    const deltas = profile.timeDeltas ?? [];
    const scriptMs = (profile.samples ?? []).reduce((sum, node, at) => (silent.has(node) ? sum : sum + (deltas[at] ?? 0) / 1e3), 0);
    since = await begin();
    return { busyMs, scriptMs, heapBytes: await metric("JSHeapUsedSize"), nodes: await metric("Nodes") };
  };
}

/** Counts the plays that come to the list of a table; gives what asks how many there were. */
export async function playsOn(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = globalThis as unknown as { plays: number };
    counted.plays = 0;
    const isPlay = (node: Node) => (node as Element).querySelector("code") !== null;
    const list = document.querySelector(".entries ol");
    if (list) new MutationObserver((changes) => changes.forEach(({ addedNodes }) => (counted.plays += Array.from(addedNodes).filter(isPlay).length))).observe(list, { childList: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { plays: number }).plays);
}
