/** Where everything of a cluster is: its folder, its ports, its secrets. Written down once, read by every later command. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { serverPassword } from "../../server/src/platform/database/server-login.ts";

/** `embedded`, or the folder of another PostgreSQL's programs. */
export type PostgresChoice = "embedded" | `/${string}`;

export interface EtcdMember {
  readonly name: string;
  readonly clientPort: number;
  readonly peerPort: number;
}

export interface DatabaseNode {
  readonly name: string;
  readonly postgresPort: number;
  /** Where Patroni says what the node is. */
  readonly restPort: number;
}

export interface JaraProcess {
  readonly name: string;
  readonly role: "api" | "worker";
  readonly port: number;
  readonly metricsPort: number;
}

export interface Layout {
  readonly folder: string;
  readonly postgres: PostgresChoice;
  readonly etcd: readonly EtcdMember[];
  readonly nodes: readonly DatabaseNode[];
  readonly processes: readonly JaraProcess[];
  readonly ports: {
    /** Haproxy: leads to whichever node takes writes. */
    readonly writer: number;
    readonly pooler: number;
    /** Haproxy: leads to an API process that is ready. */
    readonly front: number;
    readonly haproxyAdmin: number;
    /** The API's own way to the pooler and to the writer, which a drill can cut. */
    readonly wirePooled: number;
    readonly wireDirect: number;
    readonly prometheus: number;
  };
  readonly ownerPassword: string;
  readonly replicationPassword: string;
}

export interface LayoutChoices {
  readonly folder: string;
  readonly postgres: PostgresChoice;
  readonly etcdMembers: 1 | 3;
}

const numbers = [1, 2, 3] as const;

export async function planLayout({ folder, postgres, etcdMembers }: LayoutChoices): Promise<Layout> {
  const free = await freePorts(64);
  const port = (): number => {
    const next = free.pop();
    if (next === undefined) throw new Error("The cluster needs more ports than were looked for.");
    return next;
  };
  const member = (role: JaraProcess["role"]) => (number: number) => ({
    name: `${role}${number}`,
    role,
    port: port(),
    metricsPort: port(),
  });
  return {
    folder,
    postgres,
    etcd: numbers
      .slice(0, etcdMembers)
      .map((number) => ({ name: `etcd${number}`, clientPort: port(), peerPort: port() })),
    nodes: numbers.map((number) => ({ name: `node${number}`, postgresPort: port(), restPort: port() })),
    processes: [...[1, 2].map(member("api")), ...[1, 2].map(member("worker"))],
    ports: {
      writer: port(),
      pooler: port(),
      front: port(),
      haproxyAdmin: port(),
      wirePooled: port(),
      wireDirect: port(),
      prometheus: port(),
    },
    ownerPassword: randomBytes(18).toString("hex"),
    replicationPassword: randomBytes(18).toString("hex"),
  };
}

/** All of them are held at once, so that no number comes twice. */
async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, listen));
  const ports = held.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

const layoutFile = (folder: string): string => join(folder, "cluster.json");

export function keepLayout(layout: Layout): void {
  mkdirSync(layout.folder, { recursive: true, mode: 0o755 });
  // PostgreSQL may run as somebody else, who must get through here.
  chmodSync(layout.folder, 0o755);
  writeFileSync(layoutFile(layout.folder), `${JSON.stringify(layout, null, 2)}\n`, { mode: 0o600 });
}

/** Undefined where no cluster was ever set up. */
export function readLayout(folder: string): Layout | undefined {
  const file = layoutFile(folder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Layout) : undefined;
}

export const dataFolderOf = ({ folder }: Layout, { name }: DatabaseNode): string => join(folder, name, "data");
export const logFileOf = (folder: string, name: string): string => join(folder, "logs", `${name}.log`);
export const jaraHomeOf = ({ folder }: Layout): string => join(folder, "jara");
export const frontUrl = ({ ports }: Layout): string => `http://127.0.0.1:${ports.front}`;

export const ownerUrl = (layout: Layout, port = layout.ports.writer, database = "jara"): string =>
  `postgres://jara_owner:${layout.ownerPassword}@127.0.0.1:${port}/${database}`;

/** The login that Jara works under. */
export const serverUrl = ({ ownerPassword }: Layout, port: number): string =>
  `postgres://jara_server:${serverPassword(ownerPassword)}@127.0.0.1:${port}/jara`;
