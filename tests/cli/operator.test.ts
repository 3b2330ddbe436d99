import { expect, test } from "vitest";
import { eventually } from "../../server/testing/work.ts";
import { createJara } from "./jara-process.ts";
import { createCommandWorld } from "./world.ts";

const { baseUrl, operatorToken } = await createCommandWorld();
const jara = createJara({ JARA_BASE_URL: baseUrl, JARA_OPERATOR_TOKEN: operatorToken });

async function json(...words: string[]) {
  const { code, out, err } = await jara.call(...words, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

test("a merchant comes, gets a key, changes it and loses it", async () => {
  const merchant = await json("merchants", "create", "--name", "Mama Put", "--email", "owner@example.com");
  const environmentId = merchant.environments[0].id;
  expect((await jara.call("merchants", "list")).out).toContain(environmentId);
  const first = await json("keys", "create", environmentId, "--name", "Server");
  const opens = async (key: string) => (await jara.call("wallets", "show", "--key", key)).code;
  expect(await opens(first.key)).toBe(0);
  const second = await json("keys", "rotate", first.id, "--overlap", "0");
  expect(await opens(second.key)).toBe(0);
  // Every process has forgotten a key within five seconds.
  await eventually("the old key has ended", async () => (await opens(first.key)) === 4);
  expect((await jara.call("keys", "revoke", second.id)).out).toContain("revoked");
  await eventually("the new one has ended", async () => (await opens(second.key)) === 4);
  expect((await jara.call("keys", "list", environmentId)).out).toMatch(/revoked/);
  expect((await jara.call("keys", "list", environmentId)).out).not.toContain(second.key);
});

test("refusals are told with their fields", async () => {
  const { code, err } = await jara.run("merchants", "create", "--name", "", "--email", "nobody");
  expect(code).toBe(5);
  expect(err).toMatch(/email/);
  expect(err).toContain("/docs/errors#validation_failed");
});

test("needs the operator's token", async () => {
  const stranger = createJara({ JARA_BASE_URL: baseUrl });
  expect(await stranger.call("merchants", "list")).toMatchObject({
    code: 4,
    err: expect.stringContaining("JARA_OPERATOR_TOKEN"),
  });
  const guessing = createJara({ JARA_BASE_URL: baseUrl, JARA_OPERATOR_TOKEN: "guess" });
  expect((await guessing.call("merchants", "list")).code).toBe(4);
});
