/** Selling and looking after an order. The checkout session is the order's only record, and the API keeps it. */
import { randomBytes } from "node:crypto";
import { shopProblem } from "./errors.ts";
import { type ApiAccess, callApi } from "./merchant-api.ts";
import { findProduct, type Product, productOfReference } from "./products.ts";

export interface ShopAccess extends ApiAccess {
  /** Where browsers reach the shop. */
  readonly publicUrl: string;
}

export interface Shopper {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly bvn: string;
}

/** The account of the demo merchant that is paid for every order. */
const account = { bank_account_no: "0123456789", bank_code: "058" } as const;

/** Opens a checkout and returns the address to send the shopper to. */
export async function placeOrder(
  access: ShopAccess,
  { productId, customer }: { readonly productId: string; readonly customer: Shopper },
): Promise<{ readonly id: string; readonly url: unknown }> {
  const product = findProduct(productId);
  if (product === undefined) throw shopProblem("shop_product_not_found");
  await sayName(access);
  const returnUrl = `${access.publicUrl}/shop/order`;
  const session = await callApi(access, "/loans/bnpl/checkout-sessions", {
    customer: {
      first_name: customer.firstName,
      last_name: customer.lastName,
      email: customer.email,
      phone: customer.phone,
      bvn: customer.bvn,
    },
    amount: product.price,
    items: [{ name: product.name, quantity: 1, amount: product.price }],
    ...account,
    order_reference: `${product.id}-${randomBytes(5).toString("hex")}`,
    success_url: returnUrl,
    cancel_url: returnUrl,
  });
  return { id: String(session["id"]), url: session["url"] };
}

/** What customers read on the pages they are sent to. A reset forgets it, so it is looked after with every order. */
async function sayName(access: ShopAccess): Promise<void> {
  const profile = await callApi(access, "/loans/bnpl/profile");
  if (profile["display_name"] !== shopName) {
    await callApi(access, "/loans/bnpl/profile", { display_name: shopName }, "PATCH");
  }
}

const shopName = "Balogun Home";

export interface OrderState {
  readonly id: unknown;
  readonly reference: string;
  readonly status: unknown;
  readonly amount: unknown;
  readonly product: Product | null;
  /** The way back to an open checkout. */
  readonly url: unknown;
  readonly loan: {
    readonly id: unknown;
    readonly status: unknown;
    readonly tenor: unknown;
    readonly installmentAmount: unknown;
    readonly totalRepayment: unknown;
    readonly nextDueDate: unknown;
  } | null;
}

/** How the order stands by the API's word; what the browser brought along in its address proves nothing. */
export async function readOrder(access: ShopAccess, sessionId: string): Promise<OrderState> {
  const session = await callApi(access, `/loans/bnpl/checkout-sessions/${encodeURIComponent(sessionId)}`);
  const reference = String(session["order_reference"]);
  return {
    id: session["id"],
    reference,
    status: session["status"],
    amount: session["amount"],
    product: productOfReference(reference) ?? null,
    url: session["url"],
    loan: await readLoan(access, session["loan_id"]),
  };
}

async function readLoan(access: ShopAccess, loanId: unknown): Promise<OrderState["loan"]> {
  if (typeof loanId !== "string") return null;
  const loan = await callApi(access, `/loans/bnpl/loans/${loanId}`);
  return {
    id: loan["id"],
    status: loan["status"],
    tenor: loan["tenor"],
    installmentAmount: loan["installment_amount"],
    totalRepayment: loan["total_repayment"],
    nextDueDate: loan["next_due_date"],
  };
}
