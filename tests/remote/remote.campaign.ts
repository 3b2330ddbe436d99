/** `npm run test:remote` against twins on this machine: the command itself works, and can fail. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { dojahKeys, startDojahTwin } from "../../server/testing/providers/dojah-twin.ts";
import { monnifyKeys, startMonnifyTwin } from "../../server/testing/providers/monnify-twin.ts";
import { startPaystackTwin } from "../../server/testing/providers/paystack-twin.ts";
import { createCardBooks } from "../../server/testing/providers/paystack-twin-card-books.ts";
import { paystackCards } from "../../server/testing/providers/paystack-twin-cards.ts";
import { startTermiiTwin, termiiKeys } from "../../server/testing/providers/termii-twin.ts";
import { startVtpassTwin, vtpassKeys } from "../../server/testing/providers/vtpass-twin.ts";

const secretKey = "sk_test_of_the_twin";
const monnifyTest = { ...monnifyKeys, apiKey: "MK_TEST_TWIN" };
const [paystack, monnify, vtpass, termii, dojah] = await Promise.all([
  startPaystackTwin(0, { secretKey, parts: [paystackCards(createCardBooks())] }),
  startMonnifyTwin(0, 100_000_000_00, monnifyTest),
  startVtpassTwin(),
  startTermiiTwin(),
  startDojahTwin(),
]);
const twins = [paystack, monnify, vtpass, termii, dojah];
afterAll(() => Promise.all(twins.map((twin) => twin.close())));

const keys = {
  JARA_REMOTE_PAYSTACK_SECRET_KEY: secretKey,
  JARA_REMOTE_PAYSTACK_BASE_URL: paystack.url,
  JARA_REMOTE_MONNIFY_API_KEY: monnifyTest.apiKey,
  JARA_REMOTE_MONNIFY_SECRET_KEY: monnifyTest.secretKey,
  JARA_REMOTE_MONNIFY_SOURCE_ACCOUNT_NUMBER: monnifyTest.sourceAccountNumber,
  JARA_REMOTE_MONNIFY_BASE_URL: monnify.url,
  JARA_REMOTE_VTPASS_API_KEY: vtpassKeys.apiKey,
  JARA_REMOTE_VTPASS_PUBLIC_KEY: vtpassKeys.publicKey,
  JARA_REMOTE_VTPASS_SECRET_KEY: vtpassKeys.secretKey,
  JARA_REMOTE_VTPASS_BASE_URL: vtpass.baseUrl,
  JARA_REMOTE_TERMII_API_KEY: termiiKeys.apiKey,
  JARA_REMOTE_TERMII_SENDER_ID: termiiKeys.senderId,
  JARA_REMOTE_TERMII_BASE_URL: termii.url,
  JARA_REMOTE_DOJAH_APP_ID: dojahKeys.appId,
  JARA_REMOTE_DOJAH_SECRET_KEY: dojahKeys.secretKey,
  JARA_REMOTE_DOJAH_BASE_URL: dojah.url,
};

function run(variables: Readonly<Record<string, string>>): Promise<{ code: unknown; said: string }> {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, ...variables };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, "run.ts")], { env }, (error, out, errors) => {
      resolve({ code: error === null ? 0 : error.code, said: `${out}${errors}` });
    });
  });
}
const calls = () => twins.reduce((sum, twin) => sum + twin.calls.length, 0);

test("every check passes on the twins, orders are placed, and no key is printed", async () => {
  const { code, said } = await run({ ...keys, JARA_REMOTE_TERMII_PHONE: "+2348031234567" });
  expect(said).not.toMatch(/^(failed|skipped)/m);
  expect(code).toBe(0);
  const secrets = [
    secretKey,
    monnifyTest.apiKey,
    monnifyTest.secretKey,
    ...Object.values(vtpassKeys),
    termiiKeys.apiKey,
  ];
  for (const secret of [...secrets, dojahKeys.secretKey]) expect(said).not.toContain(secret);
  expect([paystack.bank.transfers.size, monnify.books.disbursements.size, termii.messages.length]).toEqual([1, 1, 1]);
});

test("without keys everything is skipped, which is said, and nothing is called", async () => {
  const before = calls();
  const { code, said } = await run({});
  expect(code).toBe(0);
  expect(said).toMatch(/Everything was skipped: nothing is proved/);
  expect(said).toMatch(/skipped paystack: not set: JARA_REMOTE_PAYSTACK_SECRET_KEY/);
  expect(calls()).toBe(before);
});

test.each([
  ["a live key of Paystack", { JARA_REMOTE_PAYSTACK_SECRET_KEY: "sk_live_of_somebody" }],
  ["a live key of Monnify", { JARA_REMOTE_MONNIFY_API_KEY: "MK_PROD_of_somebody" }],
  ["a live key of Dojah", { JARA_REMOTE_DOJAH_SECRET_KEY: "prod_sk_of_somebody" }],
  ["a live address", { JARA_REMOTE_VTPASS_BASE_URL: "https://vtpass.com/api" }],
])("%s is refused, nothing is called and the key is not printed", async (_, change) => {
  const before = calls();
  const { code, said } = await run({ ...keys, ...change });
  expect([code, calls()]).toEqual([1, before]);
  expect(said).toMatch(/^refused /m);
  expect(said).not.toContain("of_somebody");
});

test("a wrong key fails, and is not printed", async () => {
  const { code, said } = await run({ ...keys, JARA_REMOTE_PAYSTACK_SECRET_KEY: "sk_test_of_somebody_else" });
  expect(code).toBe(1);
  expect(said).toMatch(/^failed {2}paystack, connection: /m);
  expect(said).not.toContain("of_somebody_else");
});
