/** Payouts from the command line: what is sent, what is shown, and how each end is told to a script. */
import { expect, test } from "vitest";
import { type Asked, jara, pages, refusal } from "../../testing/in-process.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const transfer = {
  id,
  reference: "order-7",
  status: "completed",
  amount: 2_500.5,
  totalDebit: 2_577.38,
  accountName: "ADA OBI" as string | null,
  accountNumber: "0123456789",
  bankName: "GTBank",
  sessionId: null,
  failureReason: null as object | null,
  createdAt: "2026-11-16T23:30:00.000Z",
};
const all = "--bank 058 --account 0123456789 --amount 2500.50";
const posts = (asked: readonly Asked[]) => asked.filter(({ method }) => method === "POST");

test("a script that says everything is asked nothing, and pays once", async () => {
  const { code, out, asked } = await jara(`transfers create ${all} --reference order-7 --narration Rent`, {
    replies: { "POST /transfers": () => ({ ...transfer, status: "pending" }) },
  });
  expect(code).toBe(0);
  expect(out).toContain("NGN 2,500.50");
  expect(posts(asked).map(({ body }) => body)).toEqual([
    {
      bankCode: "058",
      accountNumber: "0123456789",
      amount: 2_500.5,
      currency: "NGN",
      narration: "Rent",
      reference: "order-7",
    },
  ]);
  expect(posts(asked)[0]?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  ["2,500.50", 2_500.5],
  ["₦2,500", 2_500],
  ["NGN2500", 2_500],
  ["0.01", 0.01],
])("an amount of %s is paid as %d", async (typed, amount) => {
  const { asked } = await jara(["transfers", "create", "--bank", "058", "--account", "0123456789", "--amount", typed], {
    replies: { "POST /transfers": () => transfer },
  });
  expect(posts(asked)[0]?.body).toMatchObject({ amount });
});

test.each(["2500,50", "2,5", "1e3", "-1", "five", "12.345"])("%s is no amount, and nothing is sent", async (typed) => {
  const words = ["transfers", "create", "--bank", "058", "--account", "0123456789", `--amount=${typed}`];
  const { code, err, asked } = await jara(words);
  expect(code).toBe(2);
  expect(err).toContain("which is not an amount in naira");
  expect(posts(asked)).toEqual([]);
});

test("without a terminal every missing option is named at once", async () => {
  const { code, err, asked } = await jara("transfers create --bank 058");
  expect(code).toBe(2);
  expect(err).toBe("There is no terminal to ask at. Give --account and --amount.");
  expect(asked).toEqual([]);
});

test("without a reference one is made, and is shown", async () => {
  const { asked } = await jara(`transfers create ${all}`, { replies: { "POST /transfers": () => transfer } });
  expect(posts(asked)[0]?.body).toMatchObject({ reference: expect.stringMatching(/^payout-[a-z0-9]+-[0-9a-f]{6}$/) });
});

const final = (status: string) => ({
  "POST /transfers": () => ({ ...transfer, status: "pending" }),
  [`GET /transfers/${id}`]: () => ({ ...transfer, status }),
});

test.each([
  ["completed", 0],
  ["failed", 8],
  ["reversed", 8],
])("a payout that is waited for and %s ends with the code %i", async (status, code) => {
  const played = await jara(`transfers create ${all} --wait`, { replies: final(status) });
  expect(played.code).toBe(code);
  expect(played.out).toContain(status);
});

test("a refusal is told with its fields, its code, the request and where to read on", async () => {
  const errors = [{ field: "accountNumber", message: "must have ten digits" }];
  const { code, err, out } = await jara(`transfers create ${all}`, {
    replies: { "POST /transfers": () => refusal(422, "validation_failed", "Check what you sent.", { errors }) },
  });
  expect(code).toBe(5);
  expect(out).toBe("");
  expect(err.split("\n")).toEqual([
    "Check what you sent.",
    "  accountNumber must have ten digits",
    "  validation_failed, request req_1",
    "  http://jara.test/docs/errors#validation_failed",
  ]);
});

test("another payout under the same reference says in what it differs", async () => {
  const { code, err } = await jara(`transfers create ${all}`, {
    replies: {
      "POST /transfers": () => refusal(409, "reference_conflict", "It was used.", { data: { fields: ["amount"] } }),
    },
  });
  expect(code).toBe(5);
  expect(err).toContain("It differs in amount.");
});

test("a key that may not pay is a matter of keys", async () => {
  const { code } = await jara(`transfers create ${all}`, {
    replies: { "POST /transfers": () => refusal(403, "scope_missing", "This key may not pay.") },
  });
  expect(code).toBe(4);
});

const shownAs = async (more: Partial<typeof transfer>, words = `transfers show ${id}`) =>
  jara(words, { replies: { "GET /transfers": () => ({ ...transfer, ...more }) } });

test("an id is asked for as an id, anything else as a reference", async () => {
  expect((await shownAs({})).asked[0]?.path).toBe(`/transfers/${id}`);
  expect((await shownAs({}, "transfers show order-7")).asked[0]?.path).toContain("reference=order-7");
});

test("what is empty is left out, and why it failed is said with its code", async () => {
  const { out } = await shownAs({
    accountName: null,
    status: "failed",
    failureReason: { code: "account_closed", message: "The account is closed." },
  });
  expect(out).not.toContain("session");
  expect(out).toContain("0123456789 GTBank");
  expect(out).toContain("The account is closed. (account_closed)");
});

test("a narration or name that moves the cursor is made harmless on the screen, and kept in JSON", async () => {
  const start = String.fromCharCode(27);
  const hostile = { accountName: `ADA${start}[2J${start}]0;title\u0007 OBI` };
  const { out } = await shownAs(hostile);
  expect(out).not.toContain(`${start}[2J`);
  expect(out).not.toContain("\u0007");
  const json = await shownAs(hostile, `transfers show ${id} --json`);
  expect(JSON.parse(json.out)).toMatchObject(hostile);
});

test("a list that is wide enough is a table, a narrow one has a record below the other", async () => {
  const replies = { "GET /transfers": pages([transfer, { ...transfer, id: "t-2", reference: "order-8" }]) };
  const wide = await jara("transfers list", { replies, columns: 120 });
  expect(wide.out.split("\n")[0]).toMatch(/^TIME +STATUS +NAIRA +BANK +ACCOUNT +REFERENCE$/);
  expect(wide.out.split("\n")).toHaveLength(4);
  const narrow = await jara("transfers list", { replies, columns: 40 });
  expect(narrow.out).toContain("REFERENCE  order-8");
  expect(narrow.out.split("\n").every((line) => line.length <= 40)).toBe(true);
});

test("a pipe takes any width", async () => {
  const { out } = await jara("transfers list", { replies: { "GET /transfers": pages([transfer]) } });
  expect(out.split("\n")[0]).toContain("REFERENCE");
});

test("an empty list says how to begin, and is an empty list in JSON", async () => {
  const replies = { "GET /transfers": pages([]) };
  expect((await jara("transfers list", { replies })).out).toBe("No payouts yet. Make one: jara pay\n");
  expect(JSON.parse((await jara("transfers list --json", { replies })).out)).toEqual([]);
});

test("a filter goes to the server, and no more pages are read than are wanted", async () => {
  const rows = Array.from({ length: 250 }, (_, at) => ({ ...transfer, id: `t-${at}`, reference: `order-${at}` }));
  const replies = { "GET /transfers": pages(rows) };
  const { asked, out } = await jara("transfers list --status failed --limit 120 --json", { replies });
  expect(JSON.parse(out)).toHaveLength(120);
  expect(asked.map(({ path }) => path)).toEqual([
    "/transfers?limit=100&status=failed&page=1",
    "/transfers?limit=100&status=failed&page=2",
  ]);
});

test("pay asks for the name and the fee first, and pays the account that was named", async () => {
  const { code, err, asked } = await jara(`pay ${all} --yes`, {
    replies: {
      "GET /transfers/name-enquiry": () => ({
        accountName: "ADA OBI",
        bankName: "GTBank",
        nameEnquiryReference: "enquiry-1",
      }),
      "GET /transfers/fee": () => ({ fee: 25, vat: 1.88, stampDuty: 50, totalFee: 76.88, totalDebit: 2_577.38 }),
      ...final("completed"),
    },
  });
  expect(code).toBe(0);
  expect(err).toContain("ADA OBI");
  expect(posts(asked)[0]?.body).toMatchObject({ nameEnquiryReference: "enquiry-1" });
});

test("pay without a terminal does not pay unasked", async () => {
  const { code, err, asked } = await jara(`pay ${all}`, {
    replies: {
      "GET /transfers/name-enquiry": () => ({ accountName: "ADA", bankName: "G", nameEnquiryReference: "e" }),
      "GET /transfers/fee": () => ({ fee: 25, vat: 0, stampDuty: 0, totalFee: 25, totalDebit: 2_525.5 }),
    },
  });
  expect(code).toBe(2);
  expect(err).toContain("Add --yes to go on without being asked.");
  expect(posts(asked)).toEqual([]);
});

test("banks are found by a part of their name, or by its first letters", async () => {
  const banks = [
    { code: "058", name: "Guaranty Trust Bank", active: true },
    { code: "044", name: "Access Bank", active: true },
  ];
  const replies = { "GET /transfers/banks": () => banks };
  expect((await jara("banks gtb", { replies })).out).toContain("058");
  expect((await jara("banks gtb", { replies })).out).not.toContain("044");
  expect((await jara("banks access bank", { replies })).out).toContain("044");
});
