/** What the options did not say is refused by name where nobody can be asked. */
import { describe, expect, test } from "vitest";
import { fillIn, type Question, requireYes, shape } from "./ask.ts";
import type { Given } from "./command.ts";

interface Seat {
  readonly terminal?: boolean;
  readonly keyboard?: boolean;
  readonly json?: boolean;
}

const at = ({ terminal = false, keyboard = false, json = false }: Seat = {}) =>
  ({ screen: { isTerminal: terminal, isJson: json }, input: { isTTY: keyboard } }) as unknown as Given;

const questions: readonly Question<"firstName" | "bvn" | "externalId">[] = [
  { name: "firstName", message: "First name" },
  { name: "bvn", message: "BVN", read: (typed) => typed.replaceAll(" ", "") },
  { name: "externalId", message: "Yours" },
];

describe("without a terminal", () => {
  test.each([
    [{}, "Give --first-name, --bvn and --external-id."],
    [{ firstName: "Ada" }, "Give --bvn and --external-id."],
    [{ firstName: "Ada", bvn: "1" }, "Give --external-id."],
  ])("%j names every option that is missing, as it is typed", async (options, words) => {
    await expect(fillIn(at(), options, questions)).rejects.toThrow(`There is no terminal to ask at. ${words}`);
  });

  test("what was given is taken as it is read, and nobody counts as asked", async () => {
    const filled = await fillIn(at(), { firstName: "Ada", bvn: "221 234", externalId: "" }, questions);
    expect(filled).toEqual({ said: { firstName: "Ada", bvn: "221234", externalId: "" }, wasAsked: false });
  });

  test("options that no question is about are left out", async () => {
    const options = { firstName: "Ada", bvn: "1", externalId: "x", limit: "20" };
    expect((await fillIn(at(), options, questions)).said).not.toHaveProperty("limit");
  });
});

test.each<[string, Seat]>([
  ["a pipe", {}],
  ["a terminal that nobody types at", { terminal: true }],
  ["a keyboard whose output goes to a file", { keyboard: true }],
  ["a script that wants JSON", { terminal: true, keyboard: true, json: true }],
])("%s is not asked to say yes, and is told how to go on", async (_case, seat) => {
  await expect(requireYes(at(seat), "Send it?")).rejects.toThrow("Add --yes to go on without being asked.");
});

describe("what is typed is looked at before it is sent", () => {
  test.each([
    ["account", "0123456789", true],
    ["account", "012345678", false],
    ["account", "01234567890", false],
    ["account", "012345678x", false],
    ["naira", "2500", true],
    ["naira", "2500.5", true],
    ["naira", "2500.505", false],
    ["naira", ".5", false],
    ["naira", "-1", false],
    ["whole", "3", true],
    ["whole", "0", false],
    ["whole", "03", false],
    ["whole", "10000", false],
    ["eleven", "22123456789", true],
    ["eleven", "2212345678", false],
    ["phone", "08031234567", true],
    ["phone", "+2348031234567", true],
    ["phone", "0803 123 4567", false],
    ["phone", "123", false],
    ["some", "x", true],
    ["some", "   ", false],
  ] as const)("as %s, %j is right: %s", (kind, typed, isRight) => {
    expect(shape(kind)(typed) === undefined).toBe(isRight);
  });

  test("what is wrong is said with an example", () => {
    expect([shape("naira")("x"), shape("phone")("x")]).toEqual(["Such as 2500 or 2500.50.", "Such as 08031234567."]);
  });
});
