/** A benchmark's figures as a table for the terminal, JSON for tools and an SVG chart for people. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Leg {
  readonly name: string;
  /** What `values` counts, such as payouts/s. */
  readonly unit: string;
  /** One figure a round. */
  readonly values: readonly number[];
}

export interface Goal {
  readonly name: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Of an even number of values the mean of the two in the middle: the upper one alone would flatter. */
export function median(values: readonly number[]): number {
  const sorted = inOrder(values);
  const [below, above] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return below === undefined || above === undefined ? Number.NaN : (below + above) / 2;
}

/** The smallest value that the given share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  return inOrder(values)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
}

function inOrder(values: readonly number[]): number[] {
  return [...values].sort((left, right) => left - right);
}

export function isMet(goal: Goal): boolean {
  return (
    goal.value >= (goal.atLeast ?? Number.NEGATIVE_INFINITY) && goal.value <= (goal.atMost ?? Number.POSITIVE_INFINITY)
  );
}

export function printReport(legs: readonly Leg[], goals: readonly Goal[]): void {
  console.log("\nleg                                             median      all rounds");
  for (const leg of legs) {
    const all = leg.values.map((value) => format(value)).join("  ");
    console.log(`${leg.name.padEnd(44)} ${format(median(leg.values)).padStart(9)} ${leg.unit.padEnd(10)} ${all}`);
  }
  console.log("\ngoal                                                       value     wanted");
  for (const goal of goals) {
    const wanted = goal.atLeast === undefined ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
    console.log(
      `${goal.name.padEnd(56)} ${format(goal.value).padStart(8)}   ${wanted.padEnd(8)} ${isMet(goal) ? "met" : "MISSED"}`,
    );
  }
}

export function format(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Math.round(value * 100) / 100);
}

export function writeReport(name: string, legs: readonly Leg[], goals: readonly Goal[]): string {
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  const content = {
    name,
    legs: legs.map((leg) => ({ ...leg, median: median(leg.values) })),
    goals: goals.map((goal) => ({ ...goal, met: isMet(goal) })),
  };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
  const file = join(folder, `${name}.svg`);
  writeFileSync(
    file,
    chart(
      name,
      legs.filter((leg) => leg.unit.endsWith("/s")),
    ),
  );
  return file;
}

const barHeight = 22;
const left = 330;
const width = 900;

export function chart(name: string, legs: readonly Leg[]): string {
  const most = Math.max(...legs.flatMap((leg) => leg.values), 1);
  const scale = (value: number): number => (value / most) * (width - left - 90);
  const rows = legs.map((leg, index) => {
    const y = 50 + index * (barHeight + 8);
    const middle = y + barHeight / 2 + 4;
    const dots = leg.values.map(
      (value) => `<circle cx="${left + scale(value)}" cy="${y + barHeight / 2}" r="3" fill="#0b3d2e"/>`,
    );
    return `<text x="${left - 10}" y="${middle}" text-anchor="end">${escapeXml(leg.name)}</text>
<rect x="${left}" y="${y}" width="${scale(median(leg.values))}" height="${barHeight}" rx="3" fill="#7fc8a9"/>
${dots.join("")}
<text x="${left + scale(Math.max(...leg.values)) + 10}" y="${middle}">${format(median(leg.values))} ${leg.unit}</text>`;
  });
  const height = 70 + legs.length * (barHeight + 8);
  const font = 'font-family="system-ui, sans-serif" font-size="13"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${font}>
<title>${escapeXml(name)}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="20" y="28" font-size="17" font-weight="600">${escapeXml(name)}: medians, with every round as a dot</text>
${rows.join("\n")}
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
