/**
 * Listens to what a connection's rail says: a hold closes the connection, an alarm is told, and what an order can be
 * traced by is kept. The answer goes on unchanged, after that was written down.
 */
import type { Hold, RailTrace } from "../answer.ts";

export interface RailNotice {
  readonly hold?: Hold;
  readonly alarm?: string;
  readonly trace?: RailTrace;
  /** The environment and id of the order that the call was about, where it was about one. */
  readonly environmentId: string | undefined;
  readonly orderId: string | undefined;
}

const orderIds = ["sessionId", "requestId", "refundId", "chargeId", "linkId", "messageId"] as const;

export function watchRail<Rail extends object>(rail: Rail, notice: (said: RailNotice) => Promise<void>): Rail {
  const watched = Object.entries(rail).map(([name, value]: [string, unknown]) => {
    if (typeof value !== "function") return [name, value];
    return [name, (...told: unknown[]) => listened(value.apply(rail, told), told[0], notice)];
  });
  return Object.fromEntries(watched) as Rail;
}

/** Lists go through as they are: only answers can say something about the connection. */
function listened(called: unknown, order: unknown, notice: (said: RailNotice) => Promise<void>): unknown {
  if (!(called instanceof Promise)) return called;
  return called.then(async (answer: unknown) => {
    const { hold, alarm, trace } = fieldsOf(answer) as Pick<RailNotice, "hold" | "alarm" | "trace">;
    if (hold !== undefined || alarm !== undefined || trace !== undefined) {
      const about = fieldsOf(order) as Partial<Record<string, string>>;
      const orderId = orderIds.map((name) => about[name]).find((id) => id !== undefined);
      await notice({
        ...(hold === undefined ? {} : { hold }),
        ...(alarm === undefined ? {} : { alarm }),
        ...(trace === undefined ? {} : { trace }),
        environmentId: about["environmentId"],
        orderId,
      });
    }
    return answer;
  });
}

function fieldsOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
