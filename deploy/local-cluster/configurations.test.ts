import { expect, test } from "vitest";
import {
  etcdArguments,
  haproxyConfiguration,
  patience,
  patroniConfiguration,
  pgbouncerConfiguration,
  pgbouncerUsers,
  prometheusConfiguration,
  wireConfiguration,
} from "./configurations.ts";
import { planLayout, serverUrl } from "./layout.ts";

const layout = await planLayout({ folder: "/srv/cluster", postgres: "embedded", etcdMembers: 3 });
const [first, second] = layout.nodes;
if (first === undefined || second === undefined) throw new Error("a cluster has three nodes");

test("every port is there once", () => {
  const ports = [
    ...layout.etcd.flatMap(({ clientPort, peerPort }) => [clientPort, peerPort]),
    ...layout.nodes.flatMap(({ postgresPort, restPort }) => [postgresPort, restPort]),
    ...layout.processes.flatMap(({ port, metricsPort }) => [port, metricsPort]),
    ...Object.values(layout.ports),
  ];
  expect(new Set(ports).size).toBe(ports.length);
  expect(ports.every((port) => port > 1_023)).toBe(true);
});

test("Patroni's patience leaves a node time to ask etcd twice before its turn is over", () => {
  expect(patience.loop_wait + 2 * patience.retry_timeout).toBeLessThanOrEqual(patience.ttl);
});

test("a node waits for a synchronous standby, and goes by the others' word without etcd", () => {
  const written = JSON.parse(patroniConfiguration(layout, second, { bin: "/bin", clone: "copy it" }));
  expect(written).toMatchObject({
    name: "node2",
    bootstrap: { dcs: { synchronous_mode: true, failsafe_mode: true } },
    postgresql: {
      listen: `127.0.0.1:${second.postgresPort}`,
      data_dir: "/srv/cluster/node2/data",
      create_replica_methods: ["jara"],
      jara: { command: "copy it" },
    },
  });
  expect(written.etcd3.hosts).toEqual(layout.etcd.map(({ clientPort }) => `127.0.0.1:${clientPort}`));
});

test("a PostgreSQL with all its programs copies by itself, with a locale that it knows", () => {
  const debian = { ...layout, postgres: "/usr/lib/postgresql/15/bin" as const };
  const written = JSON.parse(patroniConfiguration(debian, first, { bin: "/usr/lib/postgresql/15/bin" }));
  expect(written.postgresql).not.toHaveProperty("create_replica_methods");
  expect(written.bootstrap.initdb).toEqual([{ encoding: "UTF8" }, { locale: "C" }, "data-checksums"]);
});

test("haproxy leads to the node that Patroni calls primary, and to an API that is ready", () => {
  const written = haproxyConfiguration(layout);
  expect(written).toContain("option httpchk OPTIONS /primary");
  expect(written).toContain(`server node1 127.0.0.1:${first.postgresPort} check port ${first.restPort}`);
  expect(written).toContain("option httpchk GET /readyz");
  expect(written.match(/server api\d/g)).toEqual(["server api1", "server api2"]);
  expect(written).not.toContain("worker");
});

test("haproxy's own 503 has the envelope of its family and says when to come back", () => {
  const bodies = [...haproxyConfiguration(layout).matchAll(/ status 503 .* lf-string '([^']+)' hdr Retry-After 2 /g)];
  expect(bodies.map(([, body = ""]) => JSON.parse(body))).toEqual([
    expect.objectContaining({ status: "error", code: "unavailable", request_id: "%[unique-id]" }),
    expect.objectContaining({ status: false, code: "unavailable", requestId: "%[unique-id]" }),
  ]);
});

test("the wire leads to the pooler and to the primary", () => {
  const written = wireConfiguration(layout);
  expect(written).toContain(`server there 127.0.0.1:${layout.ports.pooler}`);
  expect(written).toContain(`server there 127.0.0.1:${layout.ports.writer}`);
});

test("pgbouncer is in transaction mode and knows the login that Jara works under", () => {
  expect(pgbouncerConfiguration(layout)).toContain("pool_mode = transaction");
  const { username, password } = new URL(serverUrl(layout, layout.ports.pooler));
  expect(pgbouncerUsers(layout)).toContain(`"${username}" "${password}"`);
});

test("every member of etcd knows the others, and Prometheus every process", () => {
  const [member] = layout.etcd;
  const words = member === undefined ? [] : etcdArguments(layout, member);
  expect(words[words.indexOf("--initial-cluster") + 1]?.split(",")).toHaveLength(3);
  const { rule_files: rules, scrape_configs: jobs } = JSON.parse(prometheusConfiguration(layout, "/alerts.yml"));
  expect(rules).toEqual(["/alerts.yml"]);
  expect(jobs[0].static_configs[0].targets).toHaveLength(4);
});
