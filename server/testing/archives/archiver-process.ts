/** A worker that archives, as a process of its own, for tests that kill it. It says how far it is, and stands still there. */
import { argv } from "node:process";
import { archiveDue } from "../../src/archives/archive-events.job.ts";
import { usualLimits } from "../../src/archives/archive-events.ts";
import { openShelf } from "../../src/archives/archive-file.ts";
import { createDatabase, createPool } from "../../src/platform/database/database.ts";
import { silentLog } from "../work.ts";

export type Phase = "begun" | "written" | "read back" | "put aside" | "removing";

const [, , url = "", folder = "", last = ""] = argv;
const db = createDatabase(createPool({ url, poolSize: 2 }));
const shelf = openShelf(folder);

async function reach(phase: Phase): Promise<void> {
  if (phase !== last) return;
  process.stdout.write(`${phase}\n`);
  await new Promise(() => setInterval(() => undefined, 1_000));
}

// Rows go in steps; after the first it rests for ever, and the one who kills it looks into the database.
const limits = { ...usualLimits, atOnce: 3, restMs: last === "removing" ? 3_600_000 : 0 };
await archiveDue(
  { db, log: silentLog, archive: { folder, days: { LIVE: 400, SANDBOX: 90 } } },
  {
    async put(lines, about) {
      await reach("begun");
      const manifest = await shelf.put(lines, about);
      await reach("written");
      return manifest;
    },
    async read(manifest) {
      const lines = await shelf.read(manifest);
      await reach("read back");
      return lines;
    },
    async putAside(manifest, kept) {
      await shelf.putAside(manifest, kept);
      await reach("put aside");
    },
  },
  new Date(),
  limits,
);
await db.destroy();
