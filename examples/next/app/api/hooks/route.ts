import { verifyWebhook, WebhookSignatureError } from "@jara/sdk";
import { handleEvent } from "../../../lib/orders.ts";

/** The signature covers the bytes as they came: take the text, not `request.json()`. */
export async function POST(request: Request): Promise<Response> {
  try {
    const secret = process.env["JARA_WEBHOOK_SECRET"] ?? "";
    handleEvent(await verifyWebhook(await request.text(), request.headers, secret));
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof WebhookSignatureError) return Response.json({ error: error.message }, { status: 400 });
    throw error; // 500: Jara sends it again
  }
}
