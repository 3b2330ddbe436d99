/** Bills of every kind, loans, customers and wallets by options; what is missing is named. */
import { expect, test } from "vitest";
import { createCommandWorld } from "./world.ts";

const { jara } = await createCommandWorld();

async function json(...words: string[]) {
  const { code, out, err } = await jara.call(...words, "--json");
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}

const phone = ["--phone", "08031234567"];
const person = ["--first-name", "Ada", "--last-name", "Obi", "--email", "ada@example.com", ...phone];

test("bills of every kind are bought with the codes that are listed", async () => {
  const codeOf = async (kind: string, of?: string) =>
    (await json("bills", "products", kind)).find((one: { of: string }) => of === undefined || one.of === of).code;
  const data = ["--network", "MTN", ...phone, "--plan", await codeOf("data", "MTN")];
  const meter = ["--provider", await codeOf("electricity"), "--meter", "45012345678", "--type", "prepaid"];
  const bought = [
    await json("bills", "airtime", "--network", await codeOf("airtime"), ...phone, "--amount", "500"),
    await json("bills", "data", ...data, "--reference", "cli-data"),
    await json("bills", "electricity", ...meter, "--amount", "5000", ...phone),
    await json("bills", "tv", "--provider", "dstv", "--card", "7012345678", "--package", "renew", ...phone),
    await json("bills", "betting", "--provider", await codeOf("betting"), "--customer", "1234567", "--amount", "1000"),
  ];
  expect(bought.map(({ status, category }) => [category, status])).toEqual(
    ["airtime", "data", "electricity", "tv", "betting"].map((category) => [category, "successful"]),
  );
  expect(bought[1].reference).toBe("cli-data");
  expect(bought[2].token).toMatch(/^\d{20}$/);
  const listed = await jara.call("bills", "list");
  for (const { reference } of bought) expect(listed.out).toContain(reference);
  const change = await jara.call(
    "bills",
    "tv",
    "--provider",
    "dstv",
    "--card",
    "7012345678",
    "--package",
    "dstv-yanga",
    ...phone,
  );
  expect(change.err).toMatch(/^\S+ .*, has dstv-/);
  expect(change.out).toMatch(/what\s+DStv Yanga/);
});

test("a sub-account is opened, paid into, shown, and pays a bill", async () => {
  const { id } = await json("wallets", "create", "--name", "Ikeja branch", "--external-id", "ikeja");
  const moved = await json("wallets", "move", "--from", "main", "--to", id, "--amount", "2500.50");
  expect(moved).toMatchObject({ to: id, amount: 2500.5 });
  await json("wallets", "move", "--from", id, "--to", "main", "--amount", "500.50", "--reference", "cli-back");
  await json("bills", "airtime", "--network", "MTN", ...phone, "--amount", "1500", "--from", id);
  const shown = await jara.call("wallets", "show", id);
  expect(shown.out).toMatch(/available\s+NGN 5\d\d\.\d\d/);
  expect(shown.out).toContain("cli-back");
  expect((await jara.call("wallets", "list")).out).toMatch(/Ikeja branch\s+5\d\d\.\d\d/);
});

test("a customer is onboarded once, and an applicant asks for a loan", async () => {
  const made = await json("customers", "create", ...person, "--bvn", "22123456789", "--external-id", "ada-1");
  expect(made).toMatchObject({ firstName: "Ada", kycStatus: "verified", externalId: "ada-1" });
  expect((await json("customers", "create", ...person, "--bvn", "22123456789")).id).toBe(made.id);
  const terms = [
    "--amount",
    "50000",
    "--tenure",
    "6",
    "--period",
    "weekly",
    "--bank",
    "058",
    "--account",
    "0123456789",
  ];
  const loan = await json("loans", "create", ...person, "--bvn", "22123456780", "--nin", "12345678901", ...terms);
  expect(loan).toMatchObject({ status: "pending", amount: 50_000, tenureType: "weekly" });
  expect((await jara.call("loans", "show", loan.id)).out).toMatch(/term\s+6 × weekly/);
});

test.each([
  [["bills", "tv", "--provider", "dstv"], "Give --card, --package and --phone."],
  [["wallets", "move", "--from", "main"], "Give --to and --amount."],
  [["customers", "create", ...person], "Give --bvn."],
  [["loans", "create", ...person, "--bvn", "22123456780"], "Give --nin, --amount, --tenure, --bank and --account."],
  [["transfers", "create", "--bank", "058"], "Give --account and --amount."],
])("without a terminal, what is missing is named: jara %s", async (words, says) => {
  expect(await jara.run(...words)).toEqual({ code: 2, out: "", err: `There is no terminal to ask at. ${says}\n` });
});
