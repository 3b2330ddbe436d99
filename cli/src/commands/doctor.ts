/** Looks whether everything is in order, and says how to mend what is not. */
import { accessSync, constants, existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { tell } from "../cli-error.ts";
import type { Given } from "../command.ts";
import type { Connection } from "../connection.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { findHome, readDevServer } from "../home.ts";
import { money } from "../words.ts";

interface Finding {
  readonly what: string;
  readonly isGood: boolean;
  readonly says: string;
  /** How to mend it. */
  readonly cure?: string;
  /** What a script is told when this is bad; `refused` otherwise. */
  readonly exitCode?: ExitCode;
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
  const worst = findings.find(({ isGood }) => !isGood);
  if (worst !== undefined) process.exitCode = worst.exitCode ?? exitCodes.refused;
}

async function lookAtAll(given: Given): Promise<Finding[]> {
  const home = findHome(given);
  const findings = [lookAtNode(), await lookAtDisk(home), lookAtHome(home)];
  if (findings.some(({ isGood }) => !isGood)) return findings;
  findings.push(...(await lookAtServer(given.address)));
  try {
    const connection = given.connect();
    if (findings.every(({ isGood }) => isGood)) findings.push(await lookAtKey(connection));
  } catch (error) {
    findings.push({
      what: "key",
      isGood: false,
      says: tell(error)?.lines[0] ?? String(error),
      exitCode: exitCodes.key,
    });
  }
  return findings;
}

/** `jara listen` keeps its place there, and `npm start` everything. */
function lookAtHome(home: string): Finding {
  try {
    readDevServer(home);
    if (existsSync(home)) accessSync(home, constants.W_OK);
    return { what: "home", isGood: true, says: home };
  } catch (error) {
    const says = tell(error)?.lines[0] ?? `${home} cannot be written to`;
    return { what: "home", isGood: false, says, cure: "Set JARA_HOME to a folder that you may write to." };
  }
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
async function lookAtServer(baseUrl: string): Promise<Finding[]> {
  const asked = Date.now();
  const reply = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  if (reply === undefined) {
    const cure = "Start it with npm start, or name yours with --base-url.";
    return [
      { what: "server", isGood: false, says: `nothing replies at ${baseUrl}`, cure, exitCode: exitCodes.unreachable },
    ];
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
    const { lines: [says = String(error)] = [], exitCode = exitCodes.key } = tell(error) ?? {};
    return { what: "key", isGood: false, says, exitCode, cure: "Give the right one with --key or JARA_SECRET_KEY." };
  }
}
