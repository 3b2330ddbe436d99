/**
 * The demo shop's own backend, outside production only. A browser has no key for it: it stands for a shop on the open
 * web, and everything it can do is to open a checkout in the demo merchant's sandbox.
 */
import type { FastifyInstance, FastifyReply } from "fastify";
import { type Static, Type } from "typebox";
import { sendPresented } from "../platform/http/replies.ts";
import { compileCheck } from "../platform/http/validation.ts";
import { shopProblem } from "./errors.ts";
import { madeHere, orderCookie, orderPath } from "./order-cookie.ts";
import { placeOrder, readOrder, type ShopAccess } from "./orders.ts";
import { products } from "./products.ts";

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
