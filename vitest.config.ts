import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { patienceMs } from "./server/testing/patience.ts";
import { wholeRunReporter } from "./tools/replies/whole-run.ts";
import { testSummaryReporter } from "./tools/test-summary-reporter.ts";

const globalSetup = ["server/testing/global-setup.ts"];
const setupFiles = ["tools/budget/measure-files.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "programs",
          include: ["{server,sdk,cli,tools,deploy,bench}/**/*.test.ts"],
          globalSetup,
          setupFiles,
          experimental: { viteModuleRunner: false },
        },
      },
      {
        // The product as its users meet it: CI runs it, `npm test` does not (docs/adr/0033-two-rings.md).
        extends: true,
        test: {
          name: "product",
          include: ["tests/**/*.test.ts"],
          globalSetup,
          setupFiles,
          experimental: { viteModuleRunner: false },
        },
      },
      {
        // What takes too long for every change; `npm run campaign` runs it.
        extends: true,
        test: { name: "campaign", include: ["tests/**/*.campaign.ts"], globalSetup, setupFiles },
      },
      {
        extends: true,
        test: {
          name: "pages",
          include: ["web/**/*.test.{ts,tsx}"],
          environment: "happy-dom",
          setupFiles: [...setupFiles, "web/testing/stays-here.ts"],
          // After the others: a worker that changes between having a document and having none loads everything again.
          sequence: { groupOrder: 1 },
        },
      },
    ],
    pool: "forks",
    // Files share what a worker has loaded: to load the whole product again for each takes longer than most tests.
    isolate: false,
    // Of two cores vitest would use one. Tests also wait for timers, browsers and processes, so one worker more than
    // there are cores keeps all of them busy: on two cores a fifth less time for the same processor time.
    maxWorkers: availableParallelism() + 1,
    reporters: ["default", testSummaryReporter(), wholeRunReporter()],
    // Not a measure of anything: they end what hangs, on machines that are busy with other work as well.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: patienceMs } },
  },
});
