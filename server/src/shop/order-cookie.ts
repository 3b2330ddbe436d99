/**
 * An order is shown in the browser that made it and nowhere else: its number is not a secret, and behind it are a plan
 * and the way back into an open checkout. The browser gets a cookie for each order that it makes, which scripts cannot
 * read and other sites cannot send. It holds a signature over the session's id, so the shop itself keeps nothing.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { ApiAccess } from "./merchant-api.ts";

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
