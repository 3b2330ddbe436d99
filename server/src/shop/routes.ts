/**
 * The demo shop's own backend, outside production only. A browser has no key for it: it stands for a shop on the open
 * web, and everything it can do is to open a checkout in the demo merchant's sandbox.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type Static, Type } from "typebox";
import { sendPresented } from "../platform/http/reply/replies.ts";
import { compileCheck } from "../platform/http/request/validation.ts";
import { shopProblem } from "./errors.ts";
import { type ApiAccess, callApi } from "./merchant-api.ts";
import { findProduct, type Product, productOfReference, products } from "./products.ts";

const Text = Type.String({ minLength: 1, maxLength: 200 });
const orderBody = Type.Object({
  productId: Text,
  customer: Type.Object({ firstName: Text, lastName: Text, email: Text, phone: Text, bvn: Text }),
});

export function registerShop(app: FastifyInstance, access: ShopAccess): void {
  const checkOrder = compileCheck(orderBody, "body");

  app.get("/shop/api/products", (_, reply) => answer(reply, 200, "Products of the demo shop", products));

  app.post(orderPath, async (request, reply) => {
    checkOrder(request.body ?? {});
    const order = request.body as Static<typeof orderBody>;
    const { id, url } = await placeOrder(access, order);
    reply.header("set-cookie", orderCookie(access, id, { secure: access.publicUrl.startsWith("https:") }));
    return answer(reply, 201, "Checkout opened", { url });
  });

  app.get<{ Params: { sessionId: string } }>(`${orderPath}/:sessionId`, async (request, reply) => {
    const { sessionId } = request.params;
    if (!madeHere(access, sessionId, request.headers.cookie)) throw shopProblem("shop_order_not_found");
    return answer(reply, 200, "Order", await readOrder(access, sessionId));
  });
}

function answer(reply: FastifyReply, status: number, message: string, data: unknown): FastifyReply {
  return sendPresented(reply, { status, body: JSON.stringify({ status: true, message, data }) });
}

/**
 * An order is shown in the browser that made it and nowhere else: its number is not a secret, and behind it are a plan
 * and the way back into an open checkout. The browser gets a cookie for each order that it makes, which scripts cannot
 * read and other sites cannot send. It holds a signature over the session's id, so the shop itself keeps nothing.
 */
export const orderPath = "/shop/api/orders";

const name = "jara_shop_order";
/** An open checkout ends after a day, and its page a day later. */
const lifeSeconds = 2 * 24 * 60 * 60;

type Signer = Pick<ApiAccess, "secretKey">;

/** The Set-Cookie header; the browser sends the cookie to this one order's address only. */
export function orderCookie(signer: Signer, sessionId: string, { secure }: { readonly secure: boolean }): string {
  const attributes = [`Path=${orderPath}/${sessionId}`, `Max-Age=${lifeSeconds}`, "HttpOnly", "SameSite=Strict"];
  return [`${name}=${sign(signer, sessionId)}`, ...attributes, ...(secure ? ["Secure"] : [])].join("; ");
}

/** Whether the browser that sends these cookies made the order. */
export function madeHere(signer: Signer, sessionId: string, cookies: string | undefined): boolean {
  const wanted = Buffer.from(sign(signer, sessionId));
  return (cookies ?? "").split(";").some((cookie) => {
    const [key, value = ""] = cookie.trim().split("=");
    const given = Buffer.from(value);
    return key === name && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

function sign({ secretKey }: Signer, sessionId: string): string {
  return createHmac("sha256", secretKey).update(`shop order ${sessionId}`, "utf8").digest("base64url");
}

/** Selling and looking after an order. The checkout session is the order's only record, and the API keeps it. */
export interface ShopAccess extends ApiAccess {
  /** Where browsers reach the shop. */
  readonly publicUrl: string;
}

interface Shopper {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly bvn: string;
}

/** The account of the demo merchant that is paid for every order. */
const account = { bank_account_no: "0123456789", bank_code: "058" } as const;

/** Opens a checkout and returns the address to send the shopper to. */
async function placeOrder(
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

interface OrderState {
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
async function readOrder(access: ShopAccess, sessionId: string): Promise<OrderState> {
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
