/** The derivation of a plan: what each instalment is made of and what they come to. */
import { zeroKobo } from "../money/kobo.ts";
import { shrunkSteps } from "./explain-reductions.ts";
import { type Derivation, type Known, percentText } from "./explanation.ts";
import type { InstalmentPosition } from "./instalment.ts";
import type { Loan } from "./loan.ts";
import { type Rate, rateOf } from "./product.ts";
import { planOrProjection } from "./read-loan-account.ts";

const periodWords = { daily: "day", weekly: "week", monthly: "month" } as const;

/** Established once, on demand, in the order in which they are asked for. */
export interface PlanExplanation {
  readonly instalments: readonly InstalmentPosition[];
  totalInterest(): Known;
  totalRepayment(): Known;
  /** Principal, interest and fees of one instalment, less what was waived or refunded. */
  partsOf(number: number): readonly Known[];
}

interface PlanSteps {
  principal(number: number): Known;
  interest(number: number): Known;
  totalInterest(): Known;
}

export function explainPlan(derivation: Derivation, loan: Loan, today: Temporal.PlainDate): PlanExplanation {
  const { account, product } = loan;
  const instalments = planOrProjection(loan, today);
  const rate = rateOf(product, account.tenorType);
  const amount = derivation.given("amount", "The amount lent.", account.amount);
  const word = periodWords[account.tenorType];
  derivation.fact(
    "interest_rate",
    `Interest in percent per ${word}, ${methodWords[product.interestMethod]}.`,
    percentText(rate),
  );
  derivation.fact("tenure", `How many periods of a ${word}, and as many instalments.`, String(account.tenor));
  derivation.fact("product", "The product version that the loan was made with.", `${product.name} ${product.version}`);
  explainTerm(derivation, loan, instalments, word);
  const terms: Terms = { amount, rate, tenor: account.tenor };
  const steps = product.interestMethod === "flat" ? flatSteps(derivation, terms) : reducingSteps(derivation, terms);
  const fees = once(() => feeSteps(derivation, loan, amount));
  const shrunk = shrunkSteps(derivation, loan, instalments);
  const totalInterest = once(() => shrunk.totalInterest(steps.totalInterest()));
  return {
    instalments,
    totalInterest,
    totalRepayment: once(() =>
      derivation.sum("total_repayment", "Amount, interest and fees.", [
        shrunk.amount(amount),
        totalInterest(),
        shrunk.totalFees(fees().total),
      ]),
    ),
    partsOf: (number) => {
      const instalment = instalments[number - 1];
      if (instalment === undefined) throw new Error(`there is no instalment ${number}`);
      return [
        shrunk.principalOf(instalment, steps.principal(number)),
        shrunk.interestOf(instalment, steps.interest(number)),
        shrunk.feesOf(instalment, fees().of(number)),
      ];
    },
  };
}

/** Interest is counted in periods; their days are told because months have different lengths. */
function explainTerm(
  derivation: Derivation,
  { account }: Loan,
  instalments: readonly InstalmentPosition[],
  word: string,
): void {
  const end = instalments.at(-1)?.dueDate;
  if (account.startDate === null || end === undefined) return;
  const words = `From the start to the last due date; interest counts each ${word} as one period, whatever its days.`;
  derivation.days("term_days", words, account.startDate, end);
}

const methodWords = {
  flat: "on the whole amount for every period",
  reducing: "on what is still owed when a period begins",
} as const;

interface Terms {
  readonly amount: Known;
  readonly rate: Rate;
  readonly tenor: number;
}

function flatSteps(derivation: Derivation, { amount, rate, tenor }: Terms): PlanSteps {
  const total = once(() =>
    derivation.percent(
      "interest",
      `Flat interest on the amount for ${tenor} periods, rounded once.`,
      amount,
      rate,
      tenor,
    ),
  );
  const principal = parts(derivation, "principal", () => amount, tenor);
  const interest = parts(derivation, "interest", total, tenor);
  return { principal, interest, totalInterest: total };
}

function reducingSteps(derivation: Derivation, { amount, rate, tenor }: Terms): PlanSteps {
  const periods = once(() => amortise(derivation, { amount, rate, tenor }));
  const at = (number: number): Period => {
    const period = periods()[number - 1];
    if (period === undefined) throw new Error(`there is no period ${number}`);
    return period;
  };
  return {
    principal: (number) => at(number).principal,
    interest: (number) => at(number).interest,
    totalInterest: once(() =>
      derivation.sum(
        "interest",
        "The interest of all periods.",
        periods().map(({ interest }) => interest),
      ),
    ),
  };
}

interface Period {
  readonly interest: Known;
  readonly principal: Known;
}

function amortise(derivation: Derivation, { amount, rate, tenor }: Terms): Period[] {
  const words = `The equal instalment that pays the amount off in ${tenor} periods.`;
  const instalment = derivation.annuity("instalment", words, amount, rate, tenor);
  const periods: Period[] = [];
  let owed = amount;
  for (let number = 1; number <= tenor; number += 1) {
    const interest = derivation.percent(
      `interest[${number}]`,
      `Interest of period ${number} on what is owed.`,
      owed,
      rate,
      1,
    );
    const principal = principalOf(derivation, { number, tenor, owed, instalment, interest });
    owed = derivation.difference(`owed[${number}]`, `Owed after instalment ${number}.`, owed, [principal]);
    periods.push({ interest, principal });
  }
  return periods;
}

interface PrincipalStep {
  readonly number: number;
  readonly tenor: number;
  readonly owed: Known;
  readonly instalment: Known;
  readonly interest: Known;
}

/** The last instalment pays whatever is left, and so takes the rounding. */
function principalOf(derivation: Derivation, step: PrincipalStep): Known {
  const { number, tenor, owed, instalment, interest } = step;
  const name = `principal[${number}]`;
  if (number === tenor) {
    return derivation.sum(name, "The last instalment pays the rest of the principal and takes the rounding.", [owed]);
  }
  const room = derivation.difference(`room[${number}]`, `What instalment ${number} leaves for principal.`, instalment, [
    interest,
  ]);
  return derivation.smaller(name, `Principal of instalment ${number}, never more than is owed.`, room, owed);
}

/** Equal parts, rounded down; the last takes what is left. */
function parts(derivation: Derivation, name: string, total: () => Known, count: number): (number: number) => Known {
  const equal = once(() =>
    derivation.split(`${name}_part`, `An equal part of ${name} for each instalment.`, total(), count),
  );
  const last = once(() =>
    derivation.rest(
      `${name}[${count}]`,
      `The last part of ${name} takes what the rounding left.`,
      total(),
      equal(),
      count,
    ),
  );
  return (number) => (number === count ? last() : equal());
}

interface FeeSteps {
  readonly total: Known;
  of(number: number): Known;
}

function feeSteps(derivation: Derivation, { product, account }: Loan, amount: Known): FeeSteps {
  const { rate, fixed } = product.fee;
  if (rate === 0n && fixed === zeroKobo) {
    const none = derivation.given("fees", "The product takes no fee for granting the loan.", zeroKobo);
    return { total: none, of: () => none };
  }
  const share = derivation.percent(
    "fee_share",
    "The fee for granting the loan, as a part of the amount.",
    amount,
    rate,
    1,
  );
  const sum = derivation.given("fee_fixed", "The fixed part of the fee.", fixed);
  const total = derivation.sum("fees", "The fee, spread over the instalments.", [share, sum]);
  return { total, of: parts(derivation, "fees", () => total, account.tenor) };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
