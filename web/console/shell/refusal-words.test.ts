import { expect, test } from "vitest";
import { ApiProblem } from "../../shared/call-api.ts";
import { wordsFor } from "./refusal-words.ts";

const problem = (status: number, code: string, message = "The server's words.") =>
  new ApiProblem({ status, code, message, errors: [], data: {}, waitSeconds: null });

test.each([
  ["a wrong password", problem(401, "sign_in_wrong", "They do not belong together."), "do not belong together"],
  ["a link that was used", problem(401, "link_used", "Links work once."), "Links work once."],
  ["too many tries", problem(429, "rate_limited"), "Wait a few minutes"],
  ["no network", problem(0, "unreachable", "We could not reach the server."), "could not reach"],
  ["a server without sign-in", problem(404, "not_found"), "no sign-in yet"],
  ["a mistake of ours", new TypeError("x"), "Load it again"],
])("%s is told so that the person knows what to do", (_case, error, words) => {
  expect(wordsFor(error)).toContain(words);
});
