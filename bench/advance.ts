/**
 * Moving a clock over months of loans: each task in a transaction of its own against those of one moment together, turn
 * by turn over the same loans; the same for questions about payouts whose outcome is owed; a year of one loan; and what
 * a long advance costs a neighbour meanwhile, at its beginning and later.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { lendingTasks } from "../server/src/lending/collect/age-loan.job.ts";
import { createLogger } from "../server/src/platform/logger.ts";
import { createSealer, parseMasterKeys } from "../server/src/platform/secrets/crypto.ts";
import { type ClockControl, createClockControl } from "../server/src/platform/time/clock-control.ts";
import type { AdvanceBy } from "../server/src/platform/time/clock-setting.ts";
import { createEnvironmentLocks } from "../server/src/platform/time/environment-lock.ts";
import type { TaskKind } from "../server/src/platform/work/jobs.ts";
import { loanOwners } from "../server/src/start/slice-needs.ts";
import { endRun } from "./end-run.ts";
import { applicationOf, playYear } from "./loans.ts";
import { type Api, apiAt, createPayer, type Payer, readOperatorToken } from "./payers.ts";
import { oweOutcomes, questionTasks } from "./questions.ts";
import { median } from "./report.ts";
import { openStage } from "./stage.ts";

const loans = Number(process.env["BENCH_ROWS"] ?? 100);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
/** Three rounds of all legs are less than the year that the loans run. */
const days = { apart: 14, together: 28, beside: 70 } as const;
/** Twelve questions each; all rounds together are less than the day after which the simulated bank decides. */
const questionsSpan = { seconds: 3 * 3_600 } as const;
const owed = 40;
const samples = 40;
/** After this an advance is no longer short, and steps back for others. */
const untilLongMs = 500;

export async function benchAdvance(): Promise<void> {
  const stage = await openStage();
  const locks = createEnvironmentLocks({ url: stage.appUrl });
  try {
    const api = apiAt(stage.port);
    const token = readOperatorToken(stage.home);
    const newPayer = () => createPayer(api, token, 0);
    const [lender, neighbour, debtor] = [await newPayer(), await newPayer(), await newPayer()];
    const one = await newPayer();
    await freeze(api, one);
    await lend(api, lender);
    await oweOutcomes(api, debtor, owed);
    const sealer = createSealer(parseMasterKeys(readFileSync(join(stage.home, "master-key"), "utf8").trim()));
    const questions = questionTasks(stage, sealer);
    const together = lendingTasks({ db: stage.db, announce: loanOwners(sealer).announce });
    const apart = together.map(([name, { handle }]): [string, TaskKind] => [name, { handle }]);
    const clockOf = (kinds: [string, TaskKind][]) =>
      createClockControl({
        db: stage.db,
        locks,
        log: createLogger({ level: "warn" }),
        kinds: new Map(kinds),
      });
    const figures: Figures = {
      apart: [],
      together: [],
      asked: [],
      askedTogether: [],
      year: [],
      alone: [],
      atFirst: [],
      beside: [],
    };
    for (let round = 0; round < rounds; round += 1) {
      figures.apart.push(await perSecond(clockOf(apart), lender, { days: days.apart }));
      figures.together.push(await perSecond(clockOf(together), lender, { days: days.together }));
      figures.asked.push(await perSecond(clockOf(questions.apart), debtor, questionsSpan));
      figures.askedTogether.push(await perSecond(clockOf(questions.together), debtor, questionsSpan));
      figures.year.push(await playYear(api, one, round));
      figures.alone.push(await typicalMs(api, neighbour));
      let isOver = false;
      const advancing = api.post("/sandbox/clock/advance", lender.key, { days: days.beside }).finally(() => {
        isOver = true;
      });
      figures.atFirst.push(await typicalMs(api, neighbour));
      await pause(untilLongMs);
      figures.beside.push(await typicalMs(api, neighbour));
      if (isOver) throw new Error("the advance ended before the neighbour was measured: use more loans (BENCH_ROWS)");
      await advancing;
    }
    await questions.close();
    report(figures);
  } finally {
    await locks.close();
    await stage.close();
  }
}

type Figures = Record<
  "apart" | "together" | "asked" | "askedTogether" | "year" | "alone" | "atFirst" | "beside",
  number[]
>;

function report(figures: Figures): void {
  const legs = [
    { name: "tasks in a transaction each", unit: "tasks/s", values: figures.apart },
    { name: "tasks of one moment together", unit: "tasks/s", values: figures.together },
    { name: "questions in their transactions each", unit: "tasks/s", values: figures.asked },
    { name: "questions of one moment together", unit: "tasks/s", values: figures.askedTogether },
    { name: "a year of a loan", unit: "ms", values: figures.year },
    { name: "a neighbour's write, alone", unit: "ms", values: figures.alone },
    { name: "the same as an advance begins", unit: "ms", values: figures.atFirst },
    { name: "the same beside a long advance", unit: "ms", values: figures.beside },
  ];
  const goals = [
    { name: "tasks a second", value: median(figures.together), atLeast: 1_000 },
    { name: "together ÷ one each", value: median(figures.together) / median(figures.apart), atLeast: 3 },
    { name: "a year of a loan, ms", value: median(figures.year), atMost: 2_000 },
    { name: "questions together ÷ one each", value: median(figures.askedTogether) / median(figures.asked), atLeast: 2 },
    {
      name: "a neighbour beside a long advance ÷ alone",
      value: median(figures.beside) / median(figures.alone),
      atMost: 1.1,
    },
  ];
  endRun("advance", legs, goals);
}

async function freeze(api: Api, { key }: Payer): Promise<void> {
  await api.put("/sandbox/clock", key, { mode: "frozen", now: "2026-11-01T08:00:00.000Z", seed: "bench" });
}

async function lend(api: Api, payer: Payer): Promise<void> {
  const { key } = payer;
  await freeze(api, payer);
  for (let number = 0; number < loans; number += 1) {
    await api.post("/loans/create", key, applicationOf(number, { tenure_type: "weekly", tenure: "52" }));
  }
  await api.post("/sandbox/clock/advance", key, { days: 1 });
}

async function perSecond(clock: ClockControl, { environmentId }: Payer, by: AdvanceBy): Promise<number> {
  const began = performance.now();
  const { ran } = await clock.advance(environmentId, by);
  if (ran < owed) throw new Error(`only ${ran} tasks ran`);
  return (ran * 1_000) / (performance.now() - began);
}

async function typicalMs(api: Api, { key }: Payer): Promise<number> {
  const took: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const began = performance.now();
    await api.post("/sandbox/wallets/fund", key, { amount: 1 });
    took.push(performance.now() - began);
  }
  return median(took);
}
