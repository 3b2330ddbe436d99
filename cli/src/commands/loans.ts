import type { LoanStatus, NewLoan } from "@jara/sdk";
import { fillIn, readNaira, requireYes, shape } from "../ask.ts";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { moment, money, status } from "../words.ts";
import { amountQuestion, bankQuestions } from "./bank-questions.ts";
import { type PersonOptions, personQuestions } from "./person-questions.ts";
import { readSome } from "./read-list.ts";

interface Terms {
  readonly amount: string;
  readonly tenure: string;
  readonly period: "daily" | "weekly" | "monthly";
}

export async function quote({ screen, connect }: Given, { amount, tenure, period }: Terms): Promise<void> {
  const quoted = await connect().jara.loans.quote({
    amount: readNaira(amount),
    tenure: Number(tenure),
    tenureType: period,
  });
  screen.record(quoted, [
    ["amount", `NGN ${money(quoted.amount)}`],
    ["interest", `NGN ${money(quoted.totalInterest)}`],
    ["to repay", `NGN ${money(quoted.totalRepayment)}`],
    ["instalment", `NGN ${money(quoted.installmentAmount)}, ${quoted.schedules.length} times`],
  ]);
}

interface NewLoanOptions extends PersonOptions {
  readonly nin?: string;
  readonly amount?: string;
  readonly tenure?: string;
  readonly period: NewLoan["tenureType"];
  readonly bank?: string;
  readonly account?: string;
  readonly longitude?: string;
  readonly latitude?: string;
}

const lagos = { longitude: "3.3792", latitude: "6.5244" };

/** Where a made-up applicant is does not matter; where a real one is, is not ours to make up. */
function placeOf({ longitude, latitude }: NewLoanOptions, isLive: boolean) {
  if (isLive && (longitude === undefined || latitude === undefined)) {
    throw new CliError(exitCodes.usage, "Say where the applicant is: --longitude and --latitude.");
  }
  return { longitude: Number(longitude ?? lagos.longitude), latitude: Number(latitude ?? lagos.latitude) };
}

export async function createLoan(given: Given, options: NewLoanOptions): Promise<void> {
  const { jara, isLive } = given.connect();
  const place = placeOf(options, isLive);
  const { said, wasAsked } = await fillIn(given, options, [
    ...personQuestions,
    { name: "nin", message: "NIN", check: shape("eleven") },
    amountQuestion,
    { name: "tenure", message: `How many times (${options.period})`, check: shape("whole") },
    ...bankQuestions(jara),
  ]);
  if (wasAsked) await requireYes(given, `Ask for a loan of NGN ${said.amount} for ${said.firstName}?`);
  const { bank: bankCode, account: accountNumber, tenure, ...person } = said;
  const { period: tenureType } = options;
  const made = await jara.loans.create({
    ...person,
    ...place,
    bankCode,
    accountNumber,
    tenure: Number(tenure),
    tenureType,
  });
  given.screen.record(made, [
    ["status", status(given.screen, made.status)],
    ["amount", `NGN ${money(made.amount)}`],
    ["term", `${made.tenure} × ${made.tenureType}`],
    ["id", made.id],
    ["next", `jara loans show ${made.id}`],
  ]);
}

export async function list(
  { screen, connect }: Given,
  { status: wanted, limit }: { readonly status?: string; readonly limit: number },
): Promise<void> {
  const query = wanted === undefined ? {} : { status: wanted as LoanStatus };
  const found = await readSome(connect().jara.loans.list(query), limit);
  const rows = found.map((one) => [
    moment(one.createdAt),
    status(screen, one.status),
    money(one.amount).padStart(12),
    `${one.tenure} × ${one.tenureType}`,
    `${one.daasUser.firstName} ${one.daasUser.lastName}`,
    one.id,
  ]);
  const head = ["TIME", "STATUS", "NAIRA".padStart(12), "TERM", "APPLICANT", "ID"];
  screen.records(found, { head, rows }, "No loans yet. Play one: jara trigger loan.disbursed");
}

export async function show({ screen, connect }: Given, _options: object, id = ""): Promise<void> {
  const { loans } = connect().jara;
  const [loan, schedule] = await Promise.all([loans.get(id), loans.getSchedule(id)]);
  const { loanRequest } = loan;
  if (screen.isJson) return screen.line(JSON.stringify({ ...loan, schedule }, null, 2));
  screen.record(loan, [
    ["status", status(screen, loanRequest.status)],
    ["amount", `NGN ${money(loanRequest.amount)}`],
    ["term", `${loanRequest.tenure} × ${loanRequest.tenureType}`],
    ["applicant", `${loanRequest.daasUser.firstName} ${loanRequest.daasUser.lastName}`],
    ["reference", loanRequest.reference],
    ["id", loanRequest.id],
    ["time", moment(loanRequest.createdAt)],
  ]);
  screen.line("");
  const rows = schedule.map((one) => [
    String(one.installmentNumber),
    moment(one.dueDate),
    money(one.amountDue),
    one.status,
  ]);
  screen.records(schedule, { head: ["NO", "DUE", "NAIRA", "STATUS"], rows }, "The plan comes with the money.");
}
