import { expect, test } from "vitest";
import { findUnseen } from "./unseen-replies.ts";

const documented = ["POST /gifts 201", "POST /gifts sold_out", "POST /gifts internal", "GET /gifts internal"];

test("names what no test has seen, once and in order", () => {
  expect(findUnseen([...documented, ...documented], new Set(["POST /gifts 201"]))).toEqual([
    "GET /gifts internal",
    "POST /gifts internal",
    "POST /gifts sold_out",
  ]);
});

test("what is the same everywhere is seen once for all operations, a refusal of its own at each", () => {
  expect(findUnseen(documented, new Set(["POST /gifts 201", "GET /other internal", "GET /other sold_out"]))).toEqual([
    "POST /gifts sold_out",
  ]);
});
