import { describe, expect, test } from "vitest";
import { createSignInGuard } from "./people.ts";

const owner = { address: "203.0.113.7", email: "ada@example.com" };
const ownerIsAt = [owner.address, "2001:db8:1:2::1"];

function guardAt(trustProxy: false | number = 1) {
  const clock = { ms: 0 };
  const guard = createSignInGuard(async (email) => (email === owner.email ? ownerIsAt : []), {
    trustProxy,
    now: () => clock.ms,
  });
  const tries = async (attempt: { address: string; email: string | undefined }) => {
    const outcome = await guard(attempt).then(
      () => "let in" as const,
      (error: { code: string }) => error.code,
    );
    return outcome;
  };
  return { clock, guard, tries };
}

test("guesses at one account are slowed down, from however many addresses they come", async () => {
  const { tries } = guardAt();
  const outcomes: string[] = [];
  for (let n = 0; n < 40; n += 1) outcomes.push(await tries({ address: `198.51.100.${n}`, email: owner.email }));
  expect(outcomes.filter((outcome) => outcome === "let in")).toHaveLength(10);
  expect(outcomes.at(-1)).toBe("rate_limited");
});

test("its owner comes in all the while from where they have signed in before", async () => {
  const { tries } = guardAt();
  for (let n = 0; n < 40; n += 1) await tries({ address: `198.51.100.${n}`, email: owner.email });
  expect(await tries(owner)).toBe("let in");
  expect(await tries({ ...owner, address: "2001:db8:1:2:aaaa::9" })).toBe("let in");
  expect(await tries({ ...owner, address: "2001:db8:1:3::1" })).toBe("rate_limited");
});

test("one address that tries many accounts is slowed down, too", async () => {
  const { tries } = guardAt();
  const outcomes: string[] = [];
  for (let n = 0; n < 50; n += 1) outcomes.push(await tries({ address: "198.51.100.1", email: `n${n}@example.com` }));
  expect(outcomes.filter((outcome) => outcome === "let in")).toHaveLength(30);
  expect(await tries({ address: "198.51.100.2", email: "n1@example.com" })).toBe("let in");
});

test("others who guess from the same address lock nobody out who has signed in from there", async () => {
  const { tries } = guardAt();
  for (let n = 0; n < 50; n += 1) await tries({ address: owner.address, email: `n${n}@example.com` });
  expect(await tries(owner)).toBe("let in");
  expect(await tries({ address: owner.address, email: "bola@example.com" })).toBe("rate_limited");
});

describe("behind a proxy that TRUST_PROXY does not name, where all have one address", () => {
  test.each(["127.0.0.1", "::ffff:10.0.0.5", "172.17.0.1", "fd00::1"])(
    "%s: many wrong attempts on other accounts lock nobody out",
    async (address) => {
      const { tries } = guardAt(false);
      for (let n = 0; n < 100; n += 1) await tries({ address, email: `n${n}@example.com` });
      expect(await tries({ address, email: "bola@example.com" })).toBe("let in");
      expect(await tries({ address, email: undefined })).toBe("let in");
    },
  );

  test("guesses at one account are slowed down all the same", async () => {
    const { tries } = guardAt(false);
    const guess = { address: "127.0.0.1", email: "bola@example.com" };
    for (let n = 0; n < 10; n += 1) expect(await tries(guess)).toBe("let in");
    expect(await tries(guess)).toBe("rate_limited");
  });

  test("an address of the internet is counted as it is", async () => {
    const { tries } = guardAt(false);
    for (let n = 0; n < 30; n += 1) await tries({ address: "198.51.100.1", email: `n${n}@example.com` });
    expect(await tries({ address: "198.51.100.1", email: "bola@example.com" })).toBe("rate_limited");
  });
});

test("nothing is locked for good, and the refusal says how long to wait", async () => {
  const { clock, guard, tries } = guardAt();
  const thief = { address: "198.51.100.1", email: owner.email };
  for (let n = 0; n < 11; n += 1) await tries(thief);
  await expect(guard(thief)).rejects.toMatchObject({ code: "rate_limited", headers: { "Retry-After": "30" } });
  clock.ms = 31_000;
  expect(await tries(thief)).toBe("let in");
});
