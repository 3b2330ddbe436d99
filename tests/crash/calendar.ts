/**
 * Months go by in the sandbox: what falls due is collected from the cards, loans become overdue, are paid and end. The
 * server that moves the clock is killed like any other; the caller asks for the month again.
 */
import { createApi } from "./api.ts";

const longestMonthDays = 31;

/** Moves the clock over a month, however often it takes. False when it could not be done. */
export async function passMonth(baseUrl: string, key: string, month: number): Promise<boolean> {
  const answer = await createApi(baseUrl, key, () => false).ask({
    method: "POST",
    path: "/sandbox/clock/advance",
    body: { days: longestMonthDays },
    idempotencyKey: `month-${month}`,
    // Somebody is putting the clock right that a killed server has left standing.
    notYet: ["clock_moving", "clock_too_much_due"],
  });
  return answer?.code === "";
}
