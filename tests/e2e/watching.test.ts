/** The alert rules and the dashboard: they ring when they should, and name only figures that a real server has. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findPromtool } from "../../tools/find-promtool.ts";
import { findFreePort, makeHome, projectRoot, startServer, stopServer } from "./server-process.ts";

const deploy = join(projectRoot, "deploy");
const rules = readFileSync(join(deploy, "prometheus", "alerts.yml"), "utf8");
const played = readFileSync(join(deploy, "prometheus", "alerts.test.yml"), "utf8");
const alerts = [...rules.matchAll(/^ *- alert: (\w+)$/gm)].map(([, name]) => name ?? "");

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}
const { panels } = JSON.parse(readFileSync(join(deploy, "grafana", "jara.json"), "utf8")) as Dashboard;
const expressions = [
  ...[...rules.matchAll(/^ *expr: (.+)$/gm)].map(([, expression]) => expression ?? ""),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

/** The names in a query that are neither its functions nor its labels. `up` is Prometheus' own. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, "").replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, " ");
  const names = bare.match(/\b(?:jara|nodejs|process)_\w+\b/g) ?? [];
  return names.map((name) => name.replace(/_(bucket|count|sum)$/, ""));
}

/** As the site and GitHub make an anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");

describe("alert rules", () => {
  const promtool = findPromtool(process.env);
  if (promtool === undefined) {
    if (process.env["CI"] === "true") throw new Error("promtool could not be had");
    console.warn("The alert rules are not played: promtool is missing. Install Debian's prometheus, or set PROMTOOL.");
  }

  test.runIf(promtool !== undefined)("promtool finds no fault in them, and they ring when they should", () => {
    const run = (...words: string[]) =>
      execFileSync(promtool ?? "", words, { cwd: join(deploy, "prometheus"), encoding: "utf8", stdio: "pipe" });
    expect(run("check", "rules", "alerts.yml")).toContain(`${alerts.length} rules found`);
    expect(run("test", "rules", "alerts.test.yml")).toContain("SUCCESS");
  });

  test("each is played, and leads to a section of the runbook", () => {
    const runbook = readFileSync(join(projectRoot, "docs", "runbooks", "alerts.md"), "utf8");
    const anchors = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? ""));
    const linked = [...rules.matchAll(/runbook: docs\/runbooks\/alerts\.md#(\S+)$/gm)].map(([, anchor]) => anchor);
    expect(alerts.length).toBeGreaterThan(15);
    expect(linked).toHaveLength(alerts.length);
    expect([...new Set(linked)].filter((anchor) => !anchors.includes(anchor ?? ""))).toEqual([]);
    for (const name of alerts) {
      expect(played).toContain(`- name: ${name}\n`);
      expect(runbook).toContain(`\`${name}\``);
    }
  });
});

test("every query of the rules and of the dashboard names a figure of a running server", {
  timeout: 180_000,
}, async () => {
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const token = "reads-figures-only-0123456789";
  const server = startServer({
    JARA_HOME: makeHome(),
    PORT: String(port),
    JARA_METRICS_PORT: String(metricsPort),
    JARA_METRICS_TOKEN: token,
  });
  await server.ready;
  const headers = { authorization: `Bearer ${token}` };
  const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers })).text();
  const known = new Set([...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const asked = expressions.flatMap(metricsIn);
  expect(asked.length).toBeGreaterThan(30);
  expect([...new Set(asked)].filter((name) => !known.has(name))).toEqual([]);
  expect(page).toMatch(/^jara_processes\{role="all",version="[\d.]+"\} 1$/m);
  // A port of its own leaves nothing at the public one.
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).status).toBe(404);
  await stopServer(server);
});
