import { expect, test } from "vitest";
import { createSignInGuard } from "./guard-sign-in.ts";

const owner = { address: "203.0.113.7", email: "ada@example.com" };

function guardAt() {
  const clock = { ms: 0 };
  const guard = createSignInGuard(async (email) => (email === owner.email ? [owner.address, "2001:db8:1:2::1"] : []), {
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

test("nothing is locked for good, and the refusal says how long to wait", async () => {
  const { clock, guard, tries } = guardAt();
  const thief = { address: "198.51.100.1", email: owner.email };
  for (let n = 0; n < 11; n += 1) await tries(thief);
  await expect(guard(thief)).rejects.toMatchObject({ code: "rate_limited", headers: { "Retry-After": "30" } });
  clock.ms = 31_000;
  expect(await tries(thief)).toBe("let in");
});
