/** A session id has 30 digits: the sender's six, the time in Lagos to the second, and twelve of its own. */
import type { Clock } from "../platform/database/clock.ts";
import { lagosTime } from "../platform/time/lagos-date.ts";

export function newSessionId(clock: Clock, senderCode: string): string {
  const lagos = lagosTime(clock.now());
  const parts = [lagos.year % 100, lagos.month, lagos.day, lagos.hour, lagos.minute, lagos.second];
  const time = parts.map((part) => String(part).padStart(2, "0")).join("");
  const own = clock.randomBytes(6).readUIntBE(0, 6) % 1_000_000_000_000;
  return `${senderCode}${time}${String(own).padStart(12, "0")}`;
}
