import { findOrder } from "../../../../lib/orders.ts";

export async function GET(_: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const order = findOrder((await params).id);
  return order ? Response.json(order) : Response.json({ error: "There is no such order." }, { status: 404 });
}
