/** The configuration files of the programs, as texts. Patroni and Prometheus read YAML, of which JSON is a part. */
import { join } from "node:path";
import { serverPassword } from "../../server/src/platform/database/server-login.ts";
import type { Family } from "../../server/src/platform/http/family.ts";
import { errorText } from "../../server/src/platform/http/reply/envelope.ts";
import { commonProblem } from "../../server/src/platform/problem.ts";
import type { DatabaseNode, EtcdMember, Layout } from "./layout.ts";
import { dataFolderOf } from "./layout.ts";

const local = (port: number): string => `127.0.0.1:${port}`;

/**
 * A node that is gone is replaced after `ttl` at the latest; the others look every `loop_wait` seconds. A node that
 * cannot ask etcd for `retry_timeout` seconds goes by the other nodes' word (failsafe_mode). Patroni wants ttl to be at
 * least loop_wait and twice retry_timeout.
 */
export const patience = { ttl: 20, loop_wait: 2, retry_timeout: 5 } as const;

/** What all nodes agree on: kept in etcd from the first start on. */
const agreed = {
  ...patience,
  // Nothing is acknowledged that only one node has, and only such a node takes over that has all of it.
  synchronous_mode: true,
  // The primary goes on while etcd is away, as long as it reaches every other node.
  failsafe_mode: true,
  // A primary whose PostgreSQL has died hands over at once and does not try to recover first.
  primary_start_timeout: 0,
  postgresql: {
    use_slots: true,
    // Without pg_rewind a primary that was replaced is made again from the new one.
    use_pg_rewind: false,
    remove_data_directory_on_diverged_timelines: true,
    parameters: {
      max_connections: 150,
      wal_keep_size: "512MB",
      shared_buffers: "64MB",
      // As the embedded one: after a crash each of a thousand files would be flushed by a call of its own.
      recovery_init_sync_method: "syncfs",
      unix_socket_directories: "",
    },
  },
};

export interface PatroniPrograms {
  /** Where initdb, pg_ctl and postgres are. */
  readonly bin: string;
  /** Makes a copy of the primary where there is no pg_basebackup. */
  readonly clone?: string;
}

export function patroniConfiguration(layout: Layout, node: DatabaseNode, programs: PatroniPrograms): string {
  const isEmbedded = layout.postgres === "embedded";
  const locale = isEmbedded ? [{ "locale-provider": "builtin" }, { "builtin-locale": "C.UTF-8" }] : [];
  return JSON.stringify(
    {
      scope: "jara",
      name: node.name,
      restapi: { listen: local(node.restPort), connect_address: local(node.restPort) },
      etcd3: { hosts: layout.etcd.map(({ clientPort }) => local(clientPort)) },
      bootstrap: {
        dcs: agreed,
        initdb: [{ encoding: "UTF8" }, { locale: "C" }, ...locale, "data-checksums"],
      },
      postgresql: {
        listen: local(node.postgresPort),
        connect_address: local(node.postgresPort),
        data_dir: dataFolderOf(layout, node),
        bin_dir: programs.bin,
        pgpass: join(layout.folder, node.name, "pgpass"),
        authentication: {
          superuser: { username: "jara_owner", password: layout.ownerPassword },
          replication: { username: "replicator", password: layout.replicationPassword },
        },
        pg_hba: ["host all all 127.0.0.1/32 scram-sha-256", "host replication all 127.0.0.1/32 scram-sha-256"],
        ...(programs.clone === undefined
          ? {}
          : { create_replica_methods: ["jara"], jara: { command: programs.clone } }),
      },
    },
    null,
    2,
  );
}

export function etcdArguments(layout: Layout, { name, clientPort, peerPort }: EtcdMember): string[] {
  const [client, peer] = [`http://${local(clientPort)}`, `http://${local(peerPort)}`];
  const all = layout.etcd.map((member) => `${member.name}=http://${local(member.peerPort)}`).join(",");
  return [
    ["--name", name],
    ["--data-dir", join(layout.folder, name, "data")],
    ["--listen-client-urls", client],
    ["--advertise-client-urls", client],
    ["--listen-peer-urls", peer],
    ["--initial-advertise-peer-urls", peer],
    ["--initial-cluster", all],
    ["--initial-cluster-token", "jara"],
    // On one busy machine a heartbeat comes late now and then.
    ["--heartbeat-interval", "300"],
    ["--election-timeout", "3000"],
  ].flat();
}

const haproxyDefaults = `defaults
  timeout connect 2s
  timeout check 4s
  retries 3
  option redispatch
`;

/** What haproxy says itself, while no API process is ready: the same as an API process whose database is away. */
function unavailable(family: Family): string {
  const body = errorText(family, commonProblem("unavailable"), "%[unique-id]");
  return `status 503 content-type application/json lf-string '${body}' hdr Retry-After 2 hdr X-Request-Id %[unique-id]`;
}

/** Leads database connections to the primary, and requests to an API process that is ready. */
export function haproxyConfiguration(layout: Layout): string {
  const nodes = layout.nodes.map(
    ({ name, postgresPort, restPort }) => `  server ${name} ${local(postgresPort)} check port ${restPort}`,
  );
  const apis = layout.processes
    .filter(({ role }) => role === "api")
    .map(({ name, port }) => `  server ${name} ${local(port)} check`);
  return `global
  nbthread 1
  stats socket ipv4@${local(layout.ports.haproxyAdmin)} level admin
${haproxyDefaults}
listen writer
  mode tcp
  bind ${local(layout.ports.writer)}
  timeout client 24h
  timeout server 24h
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.join("\n")}

listen front
  mode http
  bind ${local(layout.ports.front)}
  timeout client 60s
  timeout server 60s
  option forwardfor
  unique-id-format %[uuid]
  http-request return ${unavailable("loans")} if { nbsrv(front) lt 1 } { path -m reg ^/loans(/|$) }
  http-error ${unavailable("general")}
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 1s fall 3 rise 1
${apis.join("\n")}
`;
}

/** The API's way to the database: one process that a drill stops, and nothing gets through any more. */
export function wireConfiguration({ ports }: Layout): string {
  const wire = (name: string, from: number, to: number): string => `
listen ${name}
  mode tcp
  bind ${local(from)}
  timeout client 24h
  timeout server 24h
  server there ${local(to)}
`;
  const ways = [wire("pooled", ports.wirePooled, ports.pooler), wire("direct", ports.wireDirect, ports.writer)];
  return `global\n  nbthread 1\n${haproxyDefaults}${ways.join("")}`;
}

export function pgbouncerConfiguration({ folder, ports }: Layout): string {
  return `[databases]
jara = host=127.0.0.1 port=${ports.writer} dbname=jara

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ports.pooler}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, "pgbouncer", "users.txt")}
admin_users = jara_owner
pool_mode = transaction
max_client_conn = 500
default_pool_size = 40
; A primary that is gone is asked for again every second, and a caller is told before it gives up by itself.
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 15
; A connection that the new primary would refuse to write on is not kept for long.
server_lifetime = 600
tcp_keepalive = 1
tcp_keepidle = 5
tcp_keepintvl = 2
tcp_keepcnt = 5
`;
}

export function pgbouncerUsers({ ownerPassword }: Layout): string {
  return `"jara_owner" "${ownerPassword}"\n"jara_server" "${serverPassword(ownerPassword)}"\n`;
}

export function prometheusConfiguration(layout: Layout, rules: string): string {
  const targets = layout.processes.map(({ metricsPort }) => local(metricsPort));
  return JSON.stringify(
    {
      global: { scrape_interval: "2s", evaluation_interval: "2s" },
      rule_files: [rules],
      scrape_configs: [{ job_name: "jara", static_configs: [{ targets }] }],
    },
    null,
    2,
  );
}
