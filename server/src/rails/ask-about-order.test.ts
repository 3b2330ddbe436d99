import { describe, expect, test } from "vitest";
import { askAboutOrder, type HintOutcome } from "./ask-about-order.ts";

function ask(status: string | undefined, outcome = "success") {
  const done: string[] = [];
  const answer = askAboutOrder({
    find: async () => (status === undefined ? undefined : { status }),
    takeUp: async () => done.push("taken up"),
    query: async () => {
      done.push("asked");
      return { outcome };
    },
    done: "completed",
    takeBack: async () => done.push("taken back"),
  });
  return answer.then((said) => [said, done] as const);
}

describe("a hint", () => {
  test("about an order that is not ours does nothing", async () => {
    expect(await ask(undefined)).toEqual(["not_ours", []]);
  });

  test.each(["pending", "processing"])("about a %s order takes it up", async (status) => {
    expect(await ask(status)).toEqual(["asked", ["taken up"]]);
  });

  test("is believed only when the rail says so itself", async () => {
    expect(await ask("completed", "taken_back")).toEqual(["taken_back", ["asked", "taken back"]]);
  });

  test.each([
    ["completed", "success", "agrees"],
    ["completed", "unknown", "unanswered"],
    ["failed", "unknown", "unanswered"],
    ["completed", "no_record", "agrees"],
    ["completed", "failure", "disagrees"],
    ["failed", "failure", "agrees"],
    ["failed", "no_record", "agrees"],
    ["failed", "taken_back", "agrees"],
    ["failed", "success", "disagrees"],
    ["reversed", "taken_back", "agrees"],
    ["reversed", "success", "disagrees"],
  ] satisfies [string, string, HintOutcome][])("about a %s order of which the rail says %s: %s", async (...given) => {
    const [status, outcome, said] = given;
    expect(await ask(status, outcome)).toEqual([said, ["asked"]]);
  });
});
