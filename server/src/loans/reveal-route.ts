/**
 * BVN and NIN of an applicant, for people at the console. Lists and records show them masked there (`mask-loan.ts`).
 * Roles that may change loans see them whole, one loan at a time. Like every change by a person, each look is in the
 * audit trail before it is answered, and in LIVE it wants a proof.
 */
import { Type } from "typebox";
import { memberRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { requireLoan } from "./read-loan.ts";

const revealedNumbers = Type.Object({ bvn: Type.String(), nin: Type.String() });

export function revealRoute({ sealer }: { readonly sealer: Sealer }): Route {
  return memberRoute({
    method: "POST",
    path: "/loans/{id}/reveal",
    scope: "loans:write",
    summary: "Reveal BVN and NIN",
    description: "The applicant's numbers, whole. The audit trail has who asked.",
    params: IdParams,
    keepsNothing: true,
    reply: { status: 200, message: "Numbers revealed.", data: revealedNumbers },
    problems: ["loan_not_found"],
    handle: async ({ params, read }) => {
      const { bvn, nin } = (await read((tx) => requireLoan(tx, sealer, params.id))).applicant;
      return { data: { bvn, nin } };
    },
  });
}
