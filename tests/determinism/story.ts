/**
 * A merchant's story on a frozen clock: payouts and bills that succeed, fail, time out and come back, loans, a purchase
 * on credit with its card, a webhook that nobody answers, and months that go by. Told twice, it must read the same.
 */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

export type Call = (method: "GET" | "POST" | "PUT", path: string, body?: object) => Promise<Reply>;

const loan = {
  first_name: "Adaeze",
  last_name: "Okafor",
  phone: "+2348031234567",
  nin: "12345678901",
  bvn: "22123456789",
  amount: "120000",
  tenure_type: "weekly",
  tenure: "6",
  email: "adaeze@example.com",
  bank_code: "058",
  account_number: "0123456789",
  longitude: "3.3792",
  latitude: "6.5244",
};

const customer = {
  first_name: "Adaeze",
  last_name: "Okafor",
  email: "adaeze@example.com",
  phone: "+2348031234567",
  bvn: "22123456781",
  date_of_birth: "1994-06-21",
  external_id: "story",
};

/** Empties the sandbox, tells the story in it and returns everything that was said, a line each. */
export async function tell(call: Call): Promise<readonly string[]> {
  await retell(call, "POST", "/sandbox/reset");
  const said: string[] = [];
  const ask = async (method: "GET" | "POST" | "PUT", path: string, body?: object) => {
    const reply = await call(method, path, body);
    said.push(`${method} ${path} ${reply.status} ${withoutSecrets(reply.body)}`);
    return JSON.parse(reply.body).data;
  };
  await ask("PUT", "/sandbox/clock", { mode: "frozen", now: "2026-11-01T08:00:00.000Z", seed: "story" });
  await ask("POST", "/sandbox/wallets/fund", { amount: 900_000 });
  await pay(ask);
  const lent = await ask("POST", "/loans/create", loan);
  await ask("POST", "/loans/create", { ...loan, bvn: "22123450000" });
  await ask("POST", "/sandbox/clock/advance", { seconds: 30 });
  const bought = await buyOnCredit(ask);
  await ask("POST", "/sandbox/clock/advance", { days: 10 });
  await ask("POST", `/loans/${lent.id}/repayments`, { amount: 21_000, reference: "first", channel: "cash" });
  await ask("POST", "/sandbox/clock/advance", { days: 40 });
  await ask("POST", "/transfers", transfer("story-last"));
  await ask("GET", `/loans/${lent.id}`);
  await ask("GET", `/loans/bnpl/loans/${bought}`);
  for (const path of [
    "/transfers?limit=100",
    "/bills?limit=100",
    "/wallets/transactions?limit=100",
    "/sandbox/messages",
  ]) {
    await ask("GET", path);
  }
  said.push(...(await readEvents(call)));
  return said;
}

type Ask = (method: "GET" | "POST", path: string, body?: object) => Promise<Record<string, string>>;

function transfer(reference: string) {
  return {
    amount: 2_500,
    currency: "NGN",
    bankCode: "058",
    accountNumber: "0123456789",
    narration: "Story",
    reference,
  };
}

async function pay(ask: Ask): Promise<void> {
  for (const ending of ["", "_FAIL", "_TIMEOUT", "_REVERSE", "_PENDING"]) {
    await ask("POST", "/transfers", transfer(`story${ending}`));
    await ask("POST", "/bills/airtime/vend", {
      network: "MTN",
      phoneNumber: "08031234567",
      amount: 500,
      reference: `bill${ending}`,
    });
  }
}

async function buyOnCredit(ask: Ask): Promise<string> {
  const { id } = await ask("POST", "/loans/bnpl/customers", customer);
  const bought = await ask("POST", `/loans/bnpl/customers/${id}/loans`, {
    amount: 30_000,
    tenor: 3,
    bank_account_no: "0123456789",
    bank_code: "058",
  });
  const consent = `/loans/bnpl/loans/${bought["id"]}/consent`;
  await ask("POST", `${consent}/request`);
  await ask("POST", `${consent}/verify`, { otp: "123456" });
  const link = await ask("POST", `/loans/bnpl/customers/${id}/cards/link`, {});
  await ask("POST", `/sandbox/card-links/${link["link_id"]}/complete`, { outcome: "linked" });
  await ask("POST", "/sandbox/clock/advance", { seconds: 30 });
  return bought["id"] ?? "";
}

/** The whole log, oldest first. Events get their places a moment after they happened. */
async function readEvents(call: Call): Promise<string[]> {
  const { totalItems } = JSON.parse((await call("GET", "/events?limit=1")).body).pagination;
  for (let before = -1, now = totalItems; before !== now; ) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 250));
    now = JSON.parse((await call("GET", "/events?limit=1")).body).pagination.totalItems;
  }
  const events: string[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = JSON.parse((await call("GET", `/events?limit=100&page=${page}`)).body);
    if (data.length === 0) return events.reverse();
    for (const event of data) events.push(`event ${withoutSecrets(JSON.stringify(event))}`);
  }
}

/** Another request may be moving the clock for a moment. */
async function retell(call: Call, method: "POST", path: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { status } = await call(method, path);
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${path} was refused a hundred times`);
}

/** What opens a hosted page is a secret and never comes from a seed; an error's request id is the request's own. */
function withoutSecrets(body: string): string {
  return body.replaceAll(/#[\w-]{20,}/g, "#…").replaceAll(/"request_?[iI]d":"[^"]*"/g, '"requestId":"…"');
}

/** Where two tellings part, in words; undefined when they are equal. */
export function firstDifference(one: readonly string[], other: readonly string[]): string | undefined {
  const place = one.findIndex((line, at) => line !== other[at]);
  if (place === -1 && one.length === other.length) return undefined;
  const at = place === -1 ? one.length : place;
  return `line ${at + 1} of ${one.length}:\n  ${one[at] ?? "(nothing)"}\n  ${other[at] ?? "(nothing)"}`;
}
