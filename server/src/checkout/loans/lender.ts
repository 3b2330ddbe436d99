/**
 * Who lends, and whom a customer complains to: the law wants both before the deal. Live loans are made in the name that
 * the operator has configured, and without one none is offered. A sandbox has a sample that nobody takes for a lender.
 */

import type { EnvironmentKind } from "../../platform/database/database.ts";
import { checkoutLoanProblem } from "./errors.ts";

export interface Lender {
  readonly name: string;
  /** Of its registration with the regulator, as it is to be shown. */
  readonly registration: string;
  readonly email: string;
  readonly phone: string;
  /** Who hears a complaint that the lender did not settle: name and contacts, as they are to be shown. */
  readonly regulator: string;
}

export interface Lending {
  /** Undefined where the operator has not configured one. */
  readonly lender: Lender | undefined;
}

/** As the commission itself publishes them; an operator may set others (JARA_LENDER_REGULATOR). */
export const usualRegulator =
  "Federal Competition and Consumer Protection Commission (FCCPC): fccpc.gov.ng, contact@fccpc.gov.ng";

const sampleLender: Lender = {
  name: "Sample Lender (sandbox)",
  registration: "no registration: sandbox sample",
  email: "support@lender.example",
  phone: "0700 000 0000",
  regulator: usualRegulator,
};

/** Throws lender_not_configured. */
export function lenderFor({ lender }: Lending, kind: EnvironmentKind): Lender {
  if (kind === "SANDBOX") return sampleLender;
  if (lender === undefined) throw checkoutLoanProblem("lender_not_configured");
  return lender;
}
