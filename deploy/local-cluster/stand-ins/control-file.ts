/**
 * Reads PostgreSQL's control file, of which `pg_controldata` makes a text. The npm package with PostgreSQL 18 leaves
 * that program out, and Patroni asks it. The places are those of the C structure on machines with 64 bits.
 */
const states = [
  "starting up",
  "shut down",
  "shut down in recovery",
  "shutting down",
  "in crash recovery",
  "in archive recovery",
  "in production",
] as const;

/** The version of the structure, as PostgreSQL counts it: that of 18. */
const knownVersion = 1800;

export function describeControlFile(file: Buffer): string {
  const number = (place: number): number => file.readUInt32LE(place);
  const position = (place: number): string => {
    const value = file.readBigUInt64LE(place);
    return `${(value >> 32n).toString(16)}/${(value & 0xffffffffn).toString(16)}`.toUpperCase();
  };
  const version = number(8);
  if (version !== knownVersion) {
    throw new Error(`This control file is of version ${version}; only ${knownVersion} (PostgreSQL 18) is known here.`);
  }
  const lines: readonly (readonly [string, string | number])[] = [
    ["pg_control version number", version],
    ["Catalog version number", number(12)],
    ["Database system identifier", String(file.readBigUInt64LE(0))],
    ["Database cluster state", states[number(16)] ?? "unrecognized status code"],
    ["Latest checkpoint location", position(32)],
    ["Latest checkpoint's REDO location", position(40)],
    ["Latest checkpoint's TimeLineID", number(48)],
    ["Latest checkpoint's PrevTimeLineID", number(52)],
    ["Minimum recovery ending location", position(136)],
    ["Min recovery ending loc's timeline", number(144)],
    ["wal_log_hints setting", file.readUInt8(176) === 1 ? "on" : "off"],
    ["max_connections setting", number(180)],
    ["max_worker_processes setting", number(184)],
    ["max_wal_senders setting", number(188)],
    ["max_prepared_xacts setting", number(192)],
    ["max_locks_per_xact setting", number(196)],
  ];
  return lines.map(([name, value]) => `${`${name}:`.padEnd(38)}${value}\n`).join("");
}
