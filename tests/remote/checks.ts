/** What is asked of each provider in its test mode, through our adapters. `docs/rails.md` says what each proves. */
import { randomInt, randomUUID } from "node:crypto";
import { kobo } from "../../server/src/money/kobo.ts";
import { lagosTime } from "../../server/src/platform/time/lagos-date.ts";
import type { BankRail } from "../../server/src/rails/bank.ts";
import type { BillerRail, VendOrder } from "../../server/src/rails/biller.ts";
import type { Connected } from "../../server/src/rails/provider.ts";
import type { Variables } from "./subjects.ts";

export interface Result {
  readonly result: "ok" | "failed" | "skipped";
  readonly message: string;
}

export interface Check {
  readonly name: string;
  run(): Promise<Result>;
}

const environmentId = "0198f000-0000-7000-8000-000000000001";
const ok = (message: string): Result => ({ result: "ok", message });
const failed = (message: string): Result => ({ result: "failed", message });
const skipped = (message: string): Result => ({ result: "skipped", message });
const told = (answer: unknown): string =>
  JSON.stringify(answer, (_, value) => (typeof value === "bigint" ? String(value) : value));
const expected = (wanted: string, answer: { readonly outcome: string }): Result =>
  answer.outcome === wanted ? ok(told(answer)) : failed(`expected ${wanted}, got ${told(answer)}`);

export function checksOf(connected: Connected, variables: Variables): Check[] {
  const { bank, biller, card, message, identity } = connected;
  return [
    ...connectionChecks(connected),
    ...(bank === undefined ? [] : bankChecks(bank)),
    ...(card?.startLink === undefined ? [] : cardChecks(card, card.startLink)),
    ...(biller === undefined ? [] : billerChecks(biller)),
    ...(message === undefined ? [] : [messageCheck(message, variables["JARA_REMOTE_TERMII_PHONE"])]),
    ...(identity === undefined ? [] : [identityCheck(identity)]),
  ];
}

function connectionChecks({ check, readFloat }: Connected): Check[] {
  return [
    {
      name: "connection",
      run: async () => {
        const checks = await check();
        const said = checks.map(({ name, result, message }) => `${name} ${result}: ${message}`).join(" | ");
        return checks.some(({ result }) => result === "failed") ? failed(said) : ok(said);
      },
    },
    {
      name: "balance",
      run: async () => {
        const float = await readFloat?.();
        return float && "available" in float ? ok(`${float.available} kobo`) : failed(told(float ?? null));
      },
    },
  ];
}

/** Accounts at Zenith Bank that the providers give for tests. */
const accountNumbers: Readonly<Record<string, string>> = { paystack: "0000000000", monnify: "2085886393" };

function bankChecks(bank: BankRail): Check[] {
  const account = { environmentId, nipCode: "000015", accountNumber: accountNumbers[bank.name] ?? "0123456789" };
  const amount = kobo(100_00n);
  const own = String(randomInt(1_000_000)).padStart(6, "0");
  const sessionId = `${bank.senderCode}${String(Date.now()).padStart(18, "0")}${own}`;
  const narration = "Jara remote test";
  const order = { ...account, sessionId, amount, accountName: "Jara Test", narration, reference: sessionId };
  const question = { environmentId, sessionId, amount };
  let isSent = false;
  const ifSent = (run: () => Promise<Result>) => async () =>
    isSent ? run() : skipped("the transfer before it was not taken");
  return [
    {
      name: "name enquiry",
      run: async () => {
        const answer = await bank.resolveAccount(account);
        if (answer.found === "yes") return ok("a name was given");
        // Test modes have daily limits and know few accounts.
        return answer.found === "unavailable"
          ? skipped("the provider did not say")
          : failed("there is no such account");
      },
    },
    {
      name: "unknown transfer",
      run: async () =>
        expected("no_record", await bank.query({ ...question, sessionId: `${sessionId.slice(0, -1)}x` })),
    },
    {
      name: "transfer",
      run: async () => {
        const answer = await bank.send(order);
        isSent = answer.outcome === "success" || (answer.outcome === "unknown" && answer.hold === undefined);
        if (answer.outcome === "unknown" && answer.hold !== undefined) return skipped(`held: ${answer.hold.reason}`);
        return answer.outcome === "failure" ? failed(told(answer)) : ok(told(answer));
      },
    },
    {
      name: "the same transfer again",
      run: ifSent(async () => {
        const answer = await bank.send(order);
        return answer.outcome === "failure"
          ? failed(`a used reference was taken for a failure: ${told(answer)}`)
          : ok(told(answer));
      }),
    },
    {
      name: "question about the transfer",
      run: ifSent(async () => {
        const answer = await bank.query(question);
        return answer.outcome === "success" || answer.outcome === "unknown" ? ok(told(answer)) : failed(told(answer));
      }),
    },
  ];
}

type Card = NonNullable<Connected["card"]>;

function cardChecks(card: Card, startLink: NonNullable<Card["startLink"]>): Check[] {
  const linkId = randomUUID();
  const returnUrl = "https://jara.example/card-links/remote";
  return [
    {
      name: "card page",
      run: async () => {
        const person = { customerId: randomUUID(), email: "remote-test@example.com" };
        const answer = await startLink({ environmentId, linkId, ...person, returnUrl });
        return answer.outcome === "started" ? ok("a page was opened") : failed(told(answer));
      },
    },
    {
      name: "unknown charge",
      run: async () =>
        expected("no_record", await card.query({ environmentId, chargeId: randomUUID(), amount: kobo(100_00n) })),
    },
  ];
}

/** Numbers that VTpass's sandbox knows: airtime for this telephone is delivered. */
const vend = { category: "airtime", provider: "MTN", customer: "08011111111", meterType: null } as const;

function requestIdNow(): string {
  const { year, month, day, hour, minute } = lagosTime(new Date());
  const digits = [month, day, hour, minute].map((part) => String(part).padStart(2, "0")).join("");
  return `${year}${digits}${randomUUID().replaceAll("-", "")}`;
}

function billerChecks(biller: BillerRail): Check[] {
  const amount = kobo(100_00n);
  const product = { productCode: "MTN", subscriptionType: null, phoneNumber: "08011111111", reference: "remote" };
  const order: VendOrder = { environmentId, requestId: requestIdNow(), amount, ...vend, ...product };
  return [
    {
      name: "unknown vend",
      run: async () => expected("no_record", await biller.query({ ...order, requestId: requestIdNow() })),
    },
    { name: "airtime", run: async () => expected("success", await biller.vend(order)) },
    { name: "question about the airtime", run: async () => expected("success", await biller.query(order)) },
  ];
}

/** There is no test mode: a message is real, so it goes only to a telephone that the operator names. */
function messageCheck(rail: NonNullable<Connected["message"]>, to: string | undefined): Check {
  return {
    name: "message",
    run: async () => {
      if (!to) return skipped("set JARA_REMOTE_TERMII_PHONE (+234…) to have one SMS sent, which costs money");
      const text = "This is a test of Jara. Nothing is to be done.";
      return expected("sent", await rail.send({ environmentId, messageId: randomUUID(), channel: "sms", to, text }));
    },
  };
}

/** The person of Dojah's sandbox. Whether the name fits does not matter: the register was asked and has replied. */
function identityCheck(rail: NonNullable<Connected["identity"]>): Check {
  return {
    name: "identity",
    run: async () => {
      const person = { firstName: "John", lastName: "Doe", phone: "+2348000000000", dateOfBirth: null };
      const answer = await rail.verify({ environmentId, bvn: "22222222222", nin: null, ...person });
      return answer.outcome === "unavailable" ? failed(told(answer)) : ok(`the register said ${answer.outcome}`);
    },
  };
}
