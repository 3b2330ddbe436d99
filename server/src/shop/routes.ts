/**
 * The demo shop's own backend, outside production only. A browser has no key for it: it stands for a shop on the open
 * web, and everything it can do is to open a checkout in the demo merchant's sandbox.
 */
import type { FastifyInstance, FastifyReply } from "fastify";
import { type Static, Type } from "typebox";
import { sendPresented } from "../platform/http/replies.ts";
import { compileCheck } from "../platform/http/validation.ts";
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

  app.post("/shop/api/orders", async (request, reply) => {
    checkOrder(request.body ?? {});
    const order = request.body as Static<typeof orderBody>;
    return answer(reply, 201, "Checkout opened", await placeOrder(access, order));
  });

  app.get<{ Params: { sessionId: string } }>("/shop/api/orders/:sessionId", async (request, reply) =>
    answer(reply, 200, "Order", await readOrder(access, request.params.sessionId)),
  );
}

function answer(reply: FastifyReply, status: number, message: string, data: unknown): FastifyReply {
  return sendPresented(reply, { status, body: JSON.stringify({ status: true, message, data }) });
}
