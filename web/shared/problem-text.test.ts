import { expect, test } from "vitest";
import { ApiProblem } from "./call-api.ts";
import { inSeconds, wordProblem } from "./problem-text.ts";

test.each([
  [null, "in a little while"],
  [0, "now"],
  [1, "in 1 second"],
  [59, "in 59 seconds"],
  [60, "in 1:00 minutes"],
  [3_599, "in 59:59 minutes"],
  [3_600, "in an hour"],
  [3_601, "in 2 hours"],
  [7_200, "in 2 hours"],
  [82_800, "in 23 hours"],
  [82_801, "tomorrow"],
  [86_400, "tomorrow"],
])("a wait of %s seconds is said as: %s", (seconds, words) => {
  expect(inSeconds(seconds)).toBe(words);
});

const refused = (code: string): ApiProblem =>
  new ApiProblem({ status: 422, code, message: "The server's.", errors: [], data: {}, waitSeconds: null });

test("a page's own words come before everybody's, and the server's sentence comes last", () => {
  const own = { rate_limited: () => ({ title: "Own", text: "Own words." }) };
  expect(wordProblem(refused("rate_limited"), own).title).toBe("Own");
  expect(wordProblem(refused("rate_limited"), {}).title).toBe("That was a little too fast");
  expect(wordProblem(refused("something_new"), own)).toEqual({ title: "That did not work", text: "The server's." });
});

/** What every object has without having been given it. */
const inherited = Object.getOwnPropertyNames(Object.prototype);

test.each(inherited)("the code %s of a stranger's reply has no words of ours", (code) => {
  const said = { title: "That did not work", text: "The server's." };
  expect(wordProblem(refused(code), {})).toEqual(said);
  expect(wordProblem(refused(code), { rate_limited: () => ({ title: "Own", text: "Own words." }) })).toEqual(said);
});

test.each(["unavailable", "internal"])("%s promises that nothing was done", (code) => {
  expect(wordProblem(refused(code), {}).text).toContain("Nothing was");
});
