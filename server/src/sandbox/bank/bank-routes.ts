import { Type } from "typebox";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { OneOf } from "../../platform/http/wire.ts";
import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";
import { findBank } from "../../rails/bank-directory.ts";
import { bankConditions, nowhereBank } from "./bank-condition.ts";
import type { KnownConditions } from "./known-conditions.ts";

const code = Type.String({ description: "The bank's CBN or NIP code.", examples: ["058"] });
const status = OneOf(bankConditions, {
  description:
    "up answers; degraded answers name enquiries after two seconds and loses every other answer about a payment; down does not answer at all.",
  examples: ["down"],
});

const healthData = Type.Object({
  bankCode: Type.String({ examples: ["058"] }),
  nipCode: Type.String({ examples: ["000013"] }),
  bankName: Type.String({ examples: ["Guaranty Trust Bank"] }),
  status,
});

/** How the banks of a sandbox are. */
export function bankRoutes(conditions: KnownConditions): Route[] {
  return [
    describeRoute("key", {
      method: "PUT",
      path: "/sandbox/banks/{code}/health",
      operationId: "setBankHealth",
      tag: "Sandbox",
      scope: "sandbox:write",
      sandboxOnly: true,
      summary: "Set a bank up, degraded or down",
      description:
        "Applies to this sandbox until you set it again or reset the sandbox. A payout that is sent while its bank is down stays in processing, no money moves, and it goes through once the bank is up. Nowhere Bank (999) stays down whatever is set.",
      params: Type.Object({ code }),
      body: Type.Object({ status }),
      reply: { status: 200, message: "Bank health set", data: healthData },
      problems: ["bank_not_found"],
      handle: async ({ caller, params, body }) => {
        const bank = findBank(params.code, "SANDBOX");
        if (bank === undefined) throw sandboxProblem("bank_not_found");
        await conditions.set(caller.environmentId, bank.nipCode, body.status);
        const stays = bank.nipCode === nowhereBank;
        const data = { bankCode: bank.code, nipCode: bank.nipCode, bankName: bank.name };
        return { data: { ...data, status: stays ? "down" : body.status } };
      },
    }),
  ];
}

export const sandboxProblems = {
  bank_not_found: { status: 404, cause: "No bank has this code.", cure: "GET /transfers/banks lists them all." },
} as const satisfies ProblemCatalogue;

const sandboxProblem = problemsFrom(sandboxProblems);
