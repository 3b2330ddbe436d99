/**
 * A session id has 30 digits: the sender's six, the time in Lagos to the second, and twelve of its own. All of them
 * follow from the transfer. A database that was restored to a moment before a transfer was sent sends it again, under
 * the same session, and the bank sees that it has it already.
 */
import { createHash } from "node:crypto";
import { lagosTime } from "../platform/time/lagos-date.ts";
import type { Transfer } from "./transfer.ts";

export function sessionIdOf({ id, createdAt }: Pick<Transfer, "id" | "createdAt">, senderCode: string): string {
  const lagos = lagosTime(createdAt);
  const parts = [lagos.year % 100, lagos.month, lagos.day, lagos.hour, lagos.minute, lagos.second];
  const time = parts.map((part) => String(part).padStart(2, "0")).join("");
  const own = createHash("sha256").update(id).digest().readUIntBE(0, 6) % 1_000_000_000_000;
  return `${senderCode}${time}${String(own).padStart(12, "0")}`;
}
