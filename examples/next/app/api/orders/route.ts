import { findOrder, keepOrder, type NewOrder } from "../../../lib/orders.ts";
import { payOut } from "../../../lib/pay-out.ts";

/** Keeps an order and pays its seller. It spends your money: let only your own people call it. */
export async function POST(request: Request): Promise<Response> {
  const order = (await request.json()) as NewOrder;
  if (!isOrder(order)) {
    return Response.json({ error: "An order has id, seller, accountNumber, bankCode and amount." }, { status: 400 });
  }
  await payOut(keepOrder(order));
  return Response.json(findOrder(order.id), { status: 201 });
}

function isOrder({ id, seller, accountNumber, bankCode, amount }: NewOrder): boolean {
  const isText = [id, seller, accountNumber, bankCode].every((field) => typeof field === "string");
  return isText && typeof amount === "number" && /^[\w-]{1,50}$/.test(id);
}
