import { recordFigures } from "./record-figures.ts";
import { type Goal, type Leg, printReport, writeReport } from "./report.ts";

/** Shows what a run has found, keeps it, and with BENCH_RECORD=1 writes it into the document. */
export function endRun(name: string, legs: readonly Leg[], goals: readonly Goal[]): void {
  printReport(legs, goals);
  console.log(`\nChart and figures: ${writeReport(name, legs, goals)}`);
  if (process.env["BENCH_RECORD"] === "1") console.log(`Written into ${recordFigures(name, legs, goals)}`);
}
