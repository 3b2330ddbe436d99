/** Where the money is, and why: the steps of a record as a tree, with the time between them. */
import type { TraceStep } from "@jara/sdk";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import type { Connection } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { cut, type Screen } from "../screen.ts";
import { moment } from "../words.ts";
import { isId } from "./read-list.ts";

export async function showTrace({ screen, connect }: Given, _options: object, name = ""): Promise<void> {
  const { jara } = connect();
  const trace = await jara.traces.get(await idOf(jara, name));
  if (screen.isJson) return screen.line(JSON.stringify(trace, null, 2));
  screen.line(`${screen.colors.bold(trace.kind)} ${trace.id}`);
  for (const [at, step] of trace.steps.entries()) {
    const branch = at === trace.steps.length - 1 ? "└─" : "├─";
    const before = trace.steps[at - 1];
    const told = `${timeOf(step, before)}  ${step.kind}: ${step.title}`;
    screen.line(cut(`${branch} ${markOf(screen, step)} ${told}`, screen.width));
    for (const [name, value] of tellingFields(step)) {
      const stem = at === trace.steps.length - 1 ? "  " : "│ ";
      screen.line(cut(`${stem}     ${screen.colors.dim(`${name} ${value}`)}`, screen.width));
    }
  }
  if (trace.steps.length === 0) screen.line("Nothing is stored about it.");
}

/** An id is one; anything else is looked for among references. */
async function idOf(jara: Connection["jara"], name: string): Promise<string> {
  if (isId(name) || name.startsWith("req_")) return name;
  const found = (await jara.search(name)).filter(({ title, kind }) => title === name && kind !== "event");
  const [only, ...others] = found;
  if (only === undefined) return name;
  if (others.length === 0) return only.id;
  const lines = found.map(({ kind, id }) => `  jara trace ${id}  (${kind})`);
  throw new CliError(exitCodes.usage, [`Several records are called ${name}:`, ...lines].join("\n"));
}

function markOf({ colors }: Screen, { ok }: TraceStep): string {
  return ok ? colors.green("✓") : colors.red("✗");
}

/** The first step has its moment, the others how long after the one before they came. */
function timeOf({ at }: TraceStep, before: TraceStep | undefined): string {
  if (before === undefined) return moment(at);
  return `+${spanOf(Date.parse(at) - Date.parse(before.at))}`.padEnd(8);
}

const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1_000, "s"],
] as const;

/** 0ms, 350ms, 4s, 12m, 3h, 31d. What is not whole is cut: 59.9 s are 59s, and not 60s. */
export function spanOf(ms: number): string {
  const unit = units.find(([size]) => ms >= size);
  return unit === undefined ? `${ms}ms` : `${Math.floor(ms / unit[0])}${unit[1]}`;
}

/** What a person looks for: money, the answer of a rail, a failure. The rest is in --json. */
function tellingFields({ detail, ids, ok, kind }: TraceStep): [string, string][] {
  if (kind === "posting") return legsOf(detail["legs"]);
  if (kind === "request") return requestOf(detail, ids);
  const shown = ok ? ["asked", "answered", "url"] : ["failure", "answered", "status", "error", "code", "message"];
  const fields = shown
    .filter((name) => detail[name] !== undefined && detail[name] !== null)
    .map((name): [string, string] => [name, textOf(detail[name])]);
  return kind === "event" ? [["id", ids["event"] ?? ""]] : fields;
}

function requestOf(detail: TraceStep["detail"], ids: TraceStep["ids"]): [string, string][] {
  const { status, code } = detail as { readonly status: number; readonly code: string | null };
  return [
    ["returned", code === null ? String(status) : `${status} ${code}`],
    ["id", ids["request"] ?? ""],
  ];
}

function legsOf(legs: unknown): [string, string][] {
  if (!Array.isArray(legs)) return [];
  return legs.map(({ account, amount }: { account: string; amount: number }) => [account, String(amount)]);
}

function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Object.entries(value).filter(([, inner]) => inner !== null);
  return parts.map(([name, inner]) => `${name}=${textOf(inner)}`).join(" ");
}
