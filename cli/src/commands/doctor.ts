/** Looks whether everything is in order, and says how to mend what is not. */
import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { tell } from "../cli-error.ts";
import type { Given } from "../command.ts";
import type { Connection } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { findHome } from "../home.ts";
import { money } from "../words.ts";

interface Finding {
  readonly what: string;
  readonly isGood: boolean;
  readonly says: string;
  /** How to mend it. */
  readonly cure?: string;
}

export async function doctor(given: Given): Promise<void> {
  const findings = await lookAtAll(given);
  const { screen } = given;
  if (screen.isJson) screen.line(JSON.stringify(findings, null, 2));
  else {
    for (const { what, isGood, says, cure } of findings) {
      screen.line(`${isGood ? screen.colors.green("✓") : screen.colors.red("✗")} ${what.padEnd(11)} ${says}`);
      if (cure !== undefined) screen.line(`  ${" ".repeat(11)} ${cure}`);
    }
  }
  if (findings.some(({ isGood }) => !isGood)) process.exitCode = exitCodes.refused;
}

async function lookAtAll(given: Given): Promise<Finding[]> {
  const findings = [lookAtNode(), await lookAtDisk(findHome(given))];
  let connection: Connection;
  try {
    connection = given.connect();
  } catch (error) {
    return [...findings, { what: "key", isGood: false, says: tell(error)?.lines[0] ?? String(error) }];
  }
  const server = await lookAtServer(connection);
  findings.push(...server);
  if (server.some(({ isGood }) => !isGood)) return findings;
  return [...findings, await lookAtKey(connection)];
}

function lookAtNode(): Finding {
  return { what: "node", isGood: true, says: process.versions.node };
}

const leastFree = 500_000_000;

async function lookAtDisk(home: string): Promise<Finding> {
  const place = existsSync(home) ? home : ".";
  const { bavail, bsize } = await statfs(place);
  const free = bavail * bsize;
  const says = `${Math.floor(free / 1_000_000)} MB free for ${join(home)}`;
  if (free >= leastFree) return { what: "disk", isGood: true, says };
  return { what: "disk", isGood: false, says, cure: "Make room: PostgreSQL stops when the disk is full." };
}

const mostDriftMs = 5_000;

/** Is it there, can it serve, and does it tell the time that we do. */
async function lookAtServer({ baseUrl }: Connection): Promise<Finding[]> {
  const asked = Date.now();
  const reply = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  if (reply === undefined) {
    const cure = "Start it with npm start, or name yours with --base-url.";
    return [{ what: "server", isGood: false, says: `nothing replies at ${baseUrl}`, cure }];
  }
  const server: Finding = reply.ok
    ? { what: "server", isGood: true, says: `serves at ${baseUrl}, database included` }
    : {
        what: "server",
        isGood: false,
        says: `is there and cannot serve (${reply.status})`,
        cure: "Read its log: is PostgreSQL there?",
      };
  const told = Date.parse(reply.headers.get("date") ?? "");
  const drift = Math.abs(told - (asked + Date.now()) / 2);
  if (Number.isNaN(told) || drift <= mostDriftMs)
    return [server, { what: "clock", isGood: true, says: "agrees with the server's" }];
  const says = `${Math.round(drift / 1_000)} s apart from the server's`;
  return [
    server,
    { what: "clock", isGood: false, says, cure: "Set the time: signatures of webhooks are good for five minutes." },
  ];
}

async function lookAtKey({ jara, isLive }: Connection): Promise<Finding> {
  try {
    const { available } = await jara.wallets.getBalance({}, { maxRetries: 0 });
    return { what: "key", isGood: true, says: `opens ${isLive ? "LIVE" : "a sandbox"} with NGN ${money(available)}` };
  } catch (error) {
    const says = tell(error)?.lines[0] ?? String(error);
    return { what: "key", isGood: false, says, cure: "Give the right one with --key or JARA_SECRET_KEY." };
  }
}
