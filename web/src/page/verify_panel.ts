/** The proof of the deals, made by the browser itself. */

import { type Shown, type Step, type Verdict, verifyRecord } from "../verify/verify.js";
import type { MessageKey } from "../words/message.js";
import { element, write } from "./element.js";
import { language, text } from "./language.js";
import { say } from "../words/message.js";

const VERDICTS = {
  proved: "verifyPassed",
  refuted: "verifyFailed",
  unproved: "verifyNoProof",
  unreadable: "verifyUnreadable",
} as const satisfies Readonly<Record<Verdict, MessageKey>>;

export function verifyPanel(record: string, shown: Shown): HTMLElement {
  const verdict = element("p", { class: "verdict", role: "status" });
  const steps = element("ol", { class: "proof" });
  const run = element(
    "button",
    {
      type: "button",
      on: {
        click: async () => {
          run.disabled = true;
          steps.replaceChildren();
          write(verdict, text("verifyRunning"));
          const outcome = await verifyRecord(record, shown, (step) => steps.append(entry(step)));
          write(verdict, text(VERDICTS[outcome.verdict]));
          verdict.dataset.verdict = outcome.verdict;
          run.disabled = false;
        },
      },
    },
    text("verifyRun"),
  );
  // Browsers have the functions that this needs only on pages that nobody on the way can have changed.
  const canRun = globalThis.isSecureContext;
  return element(
    "section",
    { class: "card verify" },
    element("h2", {}, text("verify")),
    element("p", { class: "quiet" }, text(canRun ? "verifyIntro" : "verifyInsecure")),
    canRun && run,
    verdict,
    steps,
  );
}

function entry({ key, round, passed }: Step): HTMLLIElement {
  const what = round === undefined ? say(language, key as "verifyMaster") : say(language, key as "verifySeed", { round });
  const verdict = text(passed ? "verifyStepPassed" : "verifyStepFailed");
  return element(
    "li",
    { class: passed ? undefined : "wrong" },
    element("span", { "aria-hidden": "true" }, passed ? "✓" : "✗"),
    element("span", {}, what, element("span", { class: "unseen" }, ` ${verdict}`)),
  );
}
