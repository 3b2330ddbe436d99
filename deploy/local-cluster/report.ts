/** The results of a run, as the part of docs/local-cluster.md that the command writes. */
import type { Played } from "./play-drill.ts";

export interface Machine {
  readonly cores: number;
  readonly memoryGib: number;
  readonly system: string;
  readonly commit: string;
  readonly date: string;
  readonly postgres: string;
  readonly etcdMembers: number;
}

const begin = "<!-- results: written by `npm run cluster -- drill all --write` -->";
const end = "<!-- end of results -->";

export function resultsOf(machine: Machine, played: readonly Played[]): string {
  const { cores, memoryGib, system, commit, date, postgres, etcdMembers } = machine;
  const rows = played.map(
    ({ drill, requests, acknowledged, failures, longestGapSeconds, contradictions }) =>
      `| \`${drill.name}\` | ${drill.title} | ${requests} | ${acknowledged} | ${failuresOf(failures)} | ${longestGapSeconds} s | ${contradictions.length === 0 ? "none" : contradictions.length} |`,
  );
  const remarks = played.flatMap(({ drill, remarks: said }) => said.map((words) => `- \`${drill.name}\`: ${words}`));
  const wrong = played.flatMap(({ drill, contradictions }) =>
    contradictions.slice(0, 10).map((words) => `- \`${drill.name}\`: ${words}`),
  );
  return [
    begin,
    "",
    `${date}, commit \`${commit}\`: ${cores} cores, ${memoryGib} GiB, ${system}; PostgreSQL ${postgres}, etcd with`,
    `${etcdMembers} member${etcdMembers === 1 ? "" : "s"}.`,
    "",
    "| drill | what | requests | acknowledged | not a success | longest without service | contradictions |",
    "|---|---|---|---|---|---|---|",
    ...rows,
    "",
    ...remarks,
    ...(wrong.length === 0 ? [] : ["", "What was wrong:", "", ...wrong]),
    "",
    end,
  ].join("\n");
}

export function failuresOf(failures: ReadonlyMap<string, number>): string {
  return failures.size === 0 ? "0" : [...failures].map(([what, count]) => `${count} × ${what}`).join(", ");
}

/** Puts new results in the place of the old ones. */
export function replaceResults(document: string, results: string): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error("docs/local-cluster.md has no place for results.");
  return `${document.slice(0, from)}${results}${document.slice(to + end.length)}`;
}
