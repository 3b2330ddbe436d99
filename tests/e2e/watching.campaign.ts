/**
 * What operators watch: alert rules that ring when they should, a dashboard that names only figures of a real server,
 * and traces in which a payout is one picture.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { findPromtool } from "../../tools/find-promtool.ts";
import { attributeOf, type Collector, startCollector } from "./collector.ts";
import {
  connectTo,
  makeHome,
  projectRoot,
  readDevFile,
  type ServerProcess,
  startServer,
  stopServer,
} from "./server-process.ts";

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

const ourSpan = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

/** Pays, and waits for the webhook about it: then there is nothing left to trace. */
async function payTraced(server: ServerProcess, home: string, collector: Collector): Promise<string> {
  const jara = connectTo(server, home);
  // The collector takes webhooks too: it returns 200, whatever comes.
  await jara.webhooks.endpoints.create({ url: `${collector.url}/hooks?secret=of-the-merchant` });
  const response = await fetch(`${server.baseUrl}/transfers`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${readDevFile(home).secretKey}`,
      "content-type": "application/json",
      traceparent: `00-${ourSpan.traceId}-${ourSpan.spanId}-01`,
    },
    body: JSON.stringify({
      accountNumber: "0123456789",
      bankCode: "058",
      amount: 2500,
      currency: "NGN",
      narration: "Between us",
      reference: "traced-1_TIMEOUT",
    }),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  const told = () => collector.others.filter((body) => body.includes(data.id));
  await expect.poll(told).toHaveLength(1);
  return data.id;
}

function judgeTraces(collector: Collector, transferId: string): void {
  const own = collector.spans().filter(({ traceId }) => traceId === transferId.replaceAll("-", ""));
  const names = own.map(({ name }) => name);
  for (const name of ["POST /transfers", "rail send transfer", "rail query transfer", "webhook transfer.completed"]) {
    expect(names).toContain(name);
  }
  expect(names.some((name) => name.startsWith("task "))).toBe(true);
  expect(own.filter(({ parentSpanId }) => (parentSpanId ?? "") !== "")).toEqual([]);
  const request = own.find(({ name }) => name === "POST /transfers");
  expect(request?.links).toMatchObject([ourSpan]);
  expect(String(request && attributeOf(request, "jara.request_id"))).toMatch(/^req_/);
  expect(new Set(own.map((span) => attributeOf(span, "jara.record_id")))).toEqual(new Set([transferId]));
  expect(new Set(own.map((span) => attributeOf(span, "jara.environment_id"))).size).toBe(1);
  expect(new Set(collector.senders("service.name"))).toEqual(new Set(["jara-of-a-test"]));
  for (const secret of ["0123456789", "Between us", "traced-1", "of-the-merchant", "sk_"]) {
    expect(collector.text()).not.toContain(secret);
  }
}

test("a running server has the figures of rules and dashboard, and its traces show a whole payout", async () => {
  const collector = await startCollector();
  const home = makeHome();
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const token = "reads-figures-only-0123456789";
  const server = startServer({
    JARA_HOME: home,
    PORT: String(port),
    JARA_METRICS_PORT: String(metricsPort),
    JARA_METRICS_TOKEN: token,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: "jara-of-a-test",
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
  const transferId = await payTraced(server, home, collector);
  // What is left is sent when the server stops.
  await stopServer(server);
  judgeTraces(collector, transferId);
  collector.close();
});
