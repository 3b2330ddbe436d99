/** `npm run production` as a process, against a database of its own. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../server/testing/database.ts";

const { ownerUrl, appUrl } = await createTestDatabase();
const program = join(import.meta.dirname, "../../server/src/programs/check-production.ts");
const key = `v1:${Buffer.alloc(32, 7).toString("base64")}`;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(env: Readonly<Record<string, string>>): Promise<Ended> {
  // Only what is needed to start it quickly: the rest of our variables would be settings.
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const all = { PATH, NODE_COMPILE_CACHE, ...env };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [program], { env: all })) };
  } catch (error) {
    return error as Ended;
  }
}

test("every variable that is not set is named at once", async () => {
  const { code, stderr, stdout } = await run({});
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /DATABASE_URL is not set[\s\S]+JARA_OPERATOR_TOKEN is not set[\s\S]+JARA_MASTER_KEY is not set/,
  );
  expect(stdout).toBe("");
});

const set = {
  DATABASE_URL: appUrl,
  DATABASE_OWNER_URL: ownerUrl,
  JARA_MASTER_KEY: key,
  JARA_OPERATOR_TOKEN: `op_${"a".repeat(30)}`,
};

test("what a real database lacks is named, with the cure, and no secret is shown", async () => {
  const { code, stdout } = await run(set);
  expect(code).toBe(1);
  expect(stdout).toContain("✗ mode        NODE_ENV is not set.");
  expect(stdout).toContain("✗ durability  fsync, full_page_writes and synchronous_commit are off");
  expect(stdout).toContain("Turn fsync, full_page_writes and synchronous_commit on.");
  expect(stdout).toContain("✓ schema      up to date");
  expect(stdout).toContain("✓ master key  it fits the database");
  expect(stdout).toContain("✓ tenants ");
  expect(stdout).toContain("! rails       No live provider is connected.");
  expect(stdout).toMatch(/\n\d+ missing, \d+ to look at, \d+ good\.\n$/);
  for (const secret of [key, set.JARA_OPERATOR_TOKEN, new URL(ownerUrl).password]) expect(stdout).not.toContain(secret);
});

test("a database that cannot be reached is one finding among the others", async () => {
  const { code, stdout } = await run({ ...set, DATABASE_URL: "postgres://nobody:secret@127.0.0.1:1/jara" });
  expect(code).toBe(1);
  expect(stdout).toContain("✗ PostgreSQL  The database at 127.0.0.1 cannot be used: connect ECONNREFUSED");
  expect(stdout).toContain("✗ address ");
  expect(stdout).not.toContain("secret");
});
