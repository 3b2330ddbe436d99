import { expect, test } from "vitest";
import { closeTo } from "./event-names.ts";

test.each([
  ["transfer.complete", ["transfer.completed"]],
  ["tranfer.failed", ["transfer.failed"]],
  ["constructor", []],
  ["", []],
])("%s is close to %s", (typed, meant) => expect(closeTo(typed)).toEqual(meant));
