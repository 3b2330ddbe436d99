/** The pages that a customer is sent to (checkout, card, plan): what their tests share. */
import type { ReactNode } from "react";
import { afterEach, beforeEach, vi } from "vitest";
import { draw } from "./draw.tsx";
import { type Asked, replyWith } from "./replies.ts";

export const now = "2026-11-05T09:30:00.000Z";
const soon = "2026-11-05T10:00:00.000Z";

/** What each of them knows of its merchant and its time. */
export const setting = { environment: "LIVE", merchantName: "Balogun Home", merchantLogo: null, now } as const;
export const hostedUntil = soon;
export const sentCode = { sentAt: now, expiresAt: soon, resendAt: now, attemptsRemaining: 5 };
export const visa = { brand: "visa", last4: "4081", expMonth: 12, expYear: 2029 };
export const disclosure = {
  lender: { name: "Akowe Finance Ltd", registration: "FCCPC/DML/0042", isSample: false },
  lateFee: "A late fee of ₦500 falls due after 3 days.",
  conditions: [],
  complaints: "help@akowe.example",
};

export type Replies = Readonly<Record<string, (asked: Asked) => unknown>>;

/** For every test of a file: a tab without memory that neither scrolls nor leaves. Returns where it was sent. */
export function visitAsCustomer(): () => readonly string[] {
  let left: string[] = [];
  beforeEach(() => {
    left = [];
    sessionStorage.clear();
    vi.spyOn(window, "scrollTo").mockReturnValue();
    vi.spyOn(window.location, "assign").mockImplementation((url) => void left.push(String(url)));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  return () => left;
}

/** Opens a page whose view lies at `path`. A test changes `server.view` to let something happen elsewhere. */
export async function openHosted<View>(page: ReactNode, path: string, first: View, replies: Replies = {}) {
  const server = { view: first };
  const asked = replyWith({ ...replies, [`GET ${path}`]: () => server.view });
  await draw(page);
  return { server, asked, sent: () => asked.filter(({ method }) => method === "POST") };
}
