import { describe, expect, test } from "vitest";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { createCommandWorld } from "./world.ts";

const { jara, keyless } = await createCommandWorld();
const nobody = `http://127.0.0.1:${await findFreePort()}`;

async function refused(words: readonly string[], from = jara) {
  const { code, out, err } = await from.call(...words);
  expect(out).toBe("");
  expect(err).not.toMatch(/\n\s+at /);
  return { code, err };
}

describe("the server", () => {
  test.each([["transfers", "list"], ["events", "list"], ["wallets", "show"], ["clock", "show"], ["listen"]])(
    "is not there: jara %s",
    async (...words) => {
      const { code, err } = await refused([...words, "--base-url", nobody]);
      expect(code).toBe(3);
      expect(err).toContain("Start one with npm start");
    },
  );

  test("is not there, and the doctor says how to mend it", async () => {
    const { code, out } = await jara.run("doctor", "--base-url", nobody);
    expect(code).toBe(3);
    expect(out).toContain(`✗ server      nothing replies at ${nobody}`);
    expect(out).toContain("npm start");
  });
});

describe("the key", () => {
  test("is missing", async () => {
    expect(await refused(["transfers", "list"], keyless)).toMatchObject({
      code: 4,
      err: expect.stringContaining("JARA_SECRET_KEY"),
    });
  });

  test("is wrong", async () => {
    const { code, err } = await refused(["transfers", "list", "--key", `sk_test_${"A".repeat(36)}`]);
    expect(code).toBe(4);
    expect(err).toContain("invalid_key");
  });

  test.each(["hello", "pk_test_abc", "sk_test_a b"])("is none: %s", async (key) => {
    expect(await refused(["transfers", "list", "--key", key])).toMatchObject({
      code: 4,
      err: expect.stringContaining("This is not a secret key"),
    });
  });

  test("is missing, and the doctor still looks at the server", async () => {
    const { code, out } = await keyless.run("doctor");
    expect(code).toBe(4);
    expect(out).toContain("✓ server");
    expect(out).toContain("✗ key");
  });

  test("is live, and nobody said so", async () => {
    const live = `sk_live_${"A".repeat(36)}`;
    const { code, err } = await refused(["transfers", "list", "--key", live]);
    expect(code).toBe(4);
    expect(err).toContain("Add --live if you mean it");
    expect(err).not.toContain(live);
    expect((await refused(["trigger", "transfer.completed", "--key", live, "--live"])).err).toContain(
      "in a sandbox only",
    );
  });
});

describe("the words", () => {
  test.each([
    ["an unknown command", ["transfer"], "Did you mean transfers?"],
    ["an unknown option", ["transfers", "list", "--stauts", "failed"], "Did you mean --status?"],
    ["a missing option", ["transfers", "create", "--bank", "058"], "--account"],
    ["a limit that is none", ["events", "list", "--limit", "many"], "A whole number"],
    ["an address that is none", ["listen", "--forward-to", "ftp://localhost"], "http://localhost:3000/hooks"],
    ["an event that is none", ["trigger", "transfer.complete"], "Did you mean transfer.completed?"],
    ["an event that every object has", ["trigger", "constructor"], "is not an event"],
    ["a shell that is none", ["completion", "tcsh"], "bash, zsh and fish"],
  ])("are not understood: %s", async (_, words, says) => {
    const { code, err } = await refused(words);
    expect(code).toBe(2);
    expect(err).toContain(says);
  });

  test("are refused by the server, field by field", async () => {
    const words = ["transfers", "create", "--bank", "058", "--account", "12", "--amount", "1"];
    const { code, err } = await refused(words);
    expect(code).toBe(5);
    expect(err).toContain("accountNumber");
    expect(err).toContain("amount");
  });

  test("name a record that does not exist", async () => {
    expect(await refused(["transfers", "show", "nothing"])).toMatchObject({
      code: 5,
      err: expect.stringContaining("transfer_not_found"),
    });
  });
});

test("every command explains itself", async () => {
  const { out } = await jara.run("--help");
  const commands = [...out.matchAll(/^ {2}([a-z]+)(?: \[| <| {2})/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
  expect(commands.length).toBeGreaterThan(10);
  for (const name of commands) expect((await jara.call(name, "--help")).out).toContain(`Usage: jara ${name}`);
});
