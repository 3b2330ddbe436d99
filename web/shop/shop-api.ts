/** What the shop's own backend offers its page. */
import { callApi } from "../shared/call-api.ts";

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly price: number;
}

export interface Shopper {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly bvn: string;
}

export interface Order {
  readonly id: string;
  readonly reference: string;
  readonly status: "open" | "completed" | "expired" | "cancelled";
  readonly amount: number;
  readonly product: Product | null;
  readonly url: string | null;
  readonly loan: {
    readonly id: string;
    readonly status: string;
    readonly tenor: number;
    readonly installmentAmount: number;
    readonly totalRepayment: number;
    readonly nextDueDate: string | null;
  } | null;
}

export function readProducts(): Promise<readonly Product[]> {
  return callApi("/shop/api/products");
}

export function placeOrder(productId: string, customer: Shopper): Promise<{ url: string }> {
  return callApi("/shop/api/orders", { method: "POST", body: { productId, customer }, cookies: true });
}

export function readOrder(sessionId: string): Promise<Order> {
  return callApi(`/shop/api/orders/${encodeURIComponent(sessionId)}`, { cookies: true });
}
