/** The proof of the deals, made by the browser itself. */

import { type Shown, type Step, type Verdict, verifyRecord } from "../verify/verify.js";
import { type MessageKey, say } from "../words/message.js";
import { element, write } from "./element.js";
import { language, text } from "./language.js";
import { refusalText } from "./refusal_text.js";

const VERDICTS = {
  proved: "verifyPassed",
  refuted: "verifyFailed",
  unproved: "verifyNoProof",
  unreadable: "verifyUnreadable",
} as const satisfies Readonly<Record<Verdict, MessageKey>>;

export function verifyPanel(record: string, shown: Shown): HTMLElement {
  const verdict = element("p", { class: "verdict", role: "status" });
  const proof = element("ol", { class: "proof" });
  const run = element(
    "button",
    {
      type: "button",
      on: {
        click: async () => {
          run.disabled = true;
          proof.replaceChildren();
          write(verdict, text("verifyRunning"));
          try {
            const { verdict: outcome, steps } = await verifyRecord(record, shown);
            proof.replaceChildren(...entries(steps));
            write(verdict, text(VERDICTS[outcome]));
            verdict.dataset.verdict = outcome;
          } catch (error) {
            write(verdict, refusalText(error));
          } finally {
            run.disabled = false;
          }
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
    proof,
  );
}

/** What concerns the whole match, then a line for each round. */
function entries(steps: readonly Step[]): HTMLElement[] {
  const rounds = new Set(steps.flatMap(({ round }) => round ?? []));
  return [
    ...steps.filter(({ round }) => round === undefined).map(entry),
    ...[...rounds].map((round) => roundEntry(round, steps.filter((step) => step.round === round))),
  ];
}

/** The checks of a round, folded away unless one of them fails. */
function roundEntry(round: number, steps: readonly Step[]): HTMLElement {
  const passed = steps.every((step) => step.passed);
  const says = passed ? text("verifyRound", { round, count: steps.length }) : text("verifyRoundWrong", { round });
  return element(
    "li",
    {},
    element(
      "details",
      { open: !passed },
      element("summary", { class: passed ? undefined : "wrong" }, sign(passed), " ", says),
      element("ol", {}, ...steps.map(entry)),
    ),
  );
}

function entry({ key, round, passed }: Step): HTMLElement {
  const what = round === undefined ? say(language, key as "verifyMaster") : say(language, key as "verifySeed", { round });
  const verdict = text(passed ? "verifyStepPassed" : "verifyStepFailed");
  return element("li", { class: passed ? "step" : "step wrong" }, sign(passed), element("span", {}, what, element("span", { class: "unseen" }, ` ${verdict}`)));
}

function sign(passed: boolean): HTMLElement {
  return element("span", { "aria-hidden": "true" }, passed ? "✓" : "✗");
}
