/** A customer of a live environment, whose card, messages, identity and payout go through twins of the providers. */
import { afterAll, expect, test } from "vitest";
import { ada, dojahKeys, startDojahTwin } from "../../server/testing/providers/dojah-twin.ts";
import { startPaystackTwin } from "../../server/testing/providers/paystack-twin.ts";
import { createCardBooks } from "../../server/testing/providers/paystack-twin-card-books.ts";
import { paystackCards } from "../../server/testing/providers/paystack-twin-cards.ts";
import { startTermiiTwin, termiiKeys } from "../../server/testing/providers/termii-twin.ts";
import { eventually } from "../../server/testing/work.ts";
import { describeWithBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { openLiveShop } from "./live-shop.ts";
import { openCheckout, readSession } from "./orders.ts";
import { type Product, type Sandbox, startProduct } from "./product.ts";
import { visit } from "./visitor.ts";
import { arriveAt, askForCode, chooseMonths, press, seeStep, typeCode } from "./walk.ts";

const lender = {
  JARA_LENDER_NAME: "Balogun Credit",
  JARA_LENDER_REGISTRATION: "FCCPC/DML/0001",
  JARA_LENDER_EMAIL: "help@balogun.example",
  JARA_LENDER_PHONE: "+2347000000000",
};

async function startTwins() {
  const cards = createCardBooks();
  const [paystack, termii, dojah] = await Promise.all([
    startPaystackTwin(0, { parts: [paystackCards(cards)] }),
    startTermiiTwin(),
    startDojahTwin(),
  ]);
  afterAll(() => Promise.all([paystack, termii, dojah].map((twin) => twin.close())));
  return { paystack, cards, termii, dojah };
}

type Twins = Awaited<ReturnType<typeof startTwins>>;

/** A merchant whose live environment has everything that a loan at the checkout needs. */
async function openLive(product: Product, { paystack, termii, dojah }: Twins): Promise<Sandbox> {
  const { operate, connect, environmentId, call } = await openLiveShop(product);
  await connect("paystack", paystack, { secretKey: paystack.account.secretKey }, ["bank", "card"]);
  await connect("termii", termii, termiiKeys, ["message"]);
  await connect("dojah", dojah, dojahKeys, ["identity"]);
  const deposit = { amount: 1_000_000, fundedAfter: 1_000_000, reference: "in-1", reason: "Money to lend" };
  await operate("POST", `/operator/environments/${environmentId}/lender/deposits`, {
    ...deposit,
    evidence: "NIP session 1",
  });
  return { call };
}

const person = {
  first_name: "Adaobi",
  last_name: "O'Koro-Eze",
  email: "adaobi@example.com",
  phone: "08031234567",
  bvn: ada.bvn,
  date_of_birth: ada.born,
};
const addresses = { success_url: "https://shop.example.com/thanks", cancel_url: "https://shop.example.com/basket" };

describeWithBrowser("a live checkout on twins", async (browser) => {
  const [product, twins] = await Promise.all([startProduct(lender), startTwins()]);
  const { paystack, cards, termii } = twins;
  const shop = await openLive(product, twins);

  test("leads through Paystack's page to a loan whose first instalment the card pays", async () => {
    const order = await openCheckout(product, shop, person, addresses);
    const { page } = await visit(browser, { origins: [product.baseUrl, paystack.url] });
    await page.goto(order.url);
    await chooseMonths(page, 3);
    await askForCode(page);
    await eventually("the code arrives", () => termii.messages.length > 0);
    const [, code = ""] = /\b(\d{6})\b/.exec(termii.messages.at(-1)?.text ?? "") ?? [];
    await typeCode(page, code);
    await arriveAt(page, "Add the card for your payments");
    await press(page, "Add a card");
    await press(page, "Continue at your bank's page");

    await seeStep(page, "Pay NGN 50.00");
    await inspect(page, "live-1-card-page");
    await page.getByLabel(/5408/).check();
    await press(page, "Pay NGN 50.00");
    await page.getByRole("alert").filter({ hasText: "Declined" }).waitFor();
    await page.getByLabel(/4081/).check();
    await press(page, "Pay NGN 50.00");

    await seeStep(page, "Your card is saved");
    await inspect(page, "live-2-saved");
    await page.getByRole("link", { name: "Continue" }).click();
    await seeStep(page, "Your order is paid");
    await inspect(page, "live-3-paid");

    const session = await readSession(shop, order);
    expect(session["status"]).toBe("completed");
    const [first, ...others] = [...cards.transactions.values()];
    expect([first?.takings, first?.requestedAmount, others]).toEqual([1, 5_000, []]);
    expect(cards.refunds).toMatchObject([{ transactionId: first?.id, amount: 5_000 }]);
    expect([...paystack.bank.transfers.values()]).toMatchObject([{ amount: 6_000_000, status: "success" }]);

    const loan = `/loans/bnpl/loans/${session["loan_id"]}`;
    const { installment_amount: amount } = await shop.call("GET", loan);
    const repayment = { amount: Number(amount), channel: "card", reference: "first-instalment" };
    await shop.call("POST", `${loan}/repayments`, repayment);
    const charge = [...cards.transactions.values()].at(-1);
    expect([charge?.takings, charge?.requestedAmount]).toEqual([1, Math.round(Number(amount) * 100)]);
    const [paid] = (await shop.call("GET", loan))["schedules"] as { status: string }[];
    expect(paid?.status).toBe("paid");
    expect(cards.refunds).toHaveLength(1);
  });

  test("a holder who leaves Paystack's page can go there again", async () => {
    const { id } = await shop.call("POST", "/loans/bnpl/customers", person);
    const { url } = await shop.call("POST", `/loans/bnpl/customers/${id}/cards/link`, {});
    const { page } = await visit(browser, { origins: [product.baseUrl, paystack.url] });
    const refunds = cards.refunds.length;
    await page.goto(String(url));
    await press(page, "Continue at your bank's page");
    await press(page, "Cancel and go back");
    await press(page, "Go to your bank's page again");
    await page.getByLabel(/5004/).check();
    await press(page, "Pay NGN 50.00");
    await page.getByText(/cannot be used for later payments/).waitFor();
    await inspect(page, "live-4-not-reusable");
    expect(cards.refunds).toHaveLength(refunds + 1);
  });
});
