import { expect, test } from "vitest";
import { drawStates } from "./states.ts";

test("every move of the table is drawn, and the states that nothing leaves are named", () => {
  const drawn = drawStates("a lamp", { off: ["on"], on: ["off", "dim", "broken"], dim: ["on"], broken: [] });
  expect(drawn).toBe(
    [
      "### States of a lamp",
      "",
      "```text",
      "off    ──▶ on",
      "on     ─┬▶ off",
      "        ├▶ dim",
      "        └▶ broken",
      "dim    ──▶ on",
      "```",
      "",
      "Final: `broken`.",
    ].join("\n"),
  );
});
