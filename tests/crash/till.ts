/** What every step of a sale uses: the merchant's client, the diary, chance, and numbers that are used once. */
import { createApi, type Request } from "./api.ts";
import { createDiary, type Diary } from "./diary.ts";
import type { Random } from "./random.ts";

export interface Till {
  readonly diary: Diary;
  readonly random: Random;
  isClosing(): boolean;
  /** A number that nothing else of the campaign has. */
  next(): number;
  /** The data of a success. A refusal that the shop did not reckon with goes into the diary. */
  ask<Data>(request: Request, expected?: readonly string[]): Promise<Data | undefined>;
  /** A write, under a key that it keeps however often it is sent. */
  post<Data>(path: string, body: object | undefined, expected?: readonly string[]): Promise<Data | undefined>;
  /** Sends a repayment or refund until it is known what became of it. Undefined when the shop closed before. */
  insist(path: string, body: object): Promise<"taken" | "declined" | undefined>;
  /** Reads until it is as wanted. Undefined when the shop closed before. */
  until<Data>(path: string, isThere: (data: Data) => boolean): Promise<Data | undefined>;
}

const readAgainMs = 200;

export function openTill(baseUrl: string, key: string, random: Random, isClosing: () => boolean): Till {
  const diary = createDiary();
  const api = createApi(baseUrl, key, isClosing);
  let count = 0;
  const next = (): number => {
    count += 1;
    return count;
  };
  const ask = async <Data>(request: Request, expected: readonly string[] = []): Promise<Data | undefined> => {
    const answer = await api.ask<Data>(request);
    if (answer !== undefined && request.method !== "GET") diary.answered += 1;
    if (answer !== undefined && answer.code !== "" && !expected.includes(answer.code)) {
      diary.surprises.push(`${request.method} ${request.path}: ${answer.status} ${answer.code}`);
    }
    return answer?.data;
  };
  return {
    diary,
    random,
    isClosing,
    next,
    ask,
    post: (path, body, expected) => {
      const keyed = { method: "POST", path, idempotencyKey: `shop-${next()}` } as const;
      return ask(body === undefined ? keyed : { ...keyed, body }, expected);
    },
    async insist(path, body) {
      for (;;) {
        const answer = await api.ask({ method: "POST", path, body });
        if (answer === undefined) return undefined;
        if (answer.status !== 202) {
          diary.answered += 1;
          if (answer.code === "") return "taken";
          // A card that was declined a moment ago is not charged again so soon.
          if (["card_declined", "card_charge_too_soon"].includes(answer.code)) return "declined";
          diary.surprises.push(`POST ${path}: ${answer.status} ${answer.code}`);
          return undefined;
        }
        await pause(readAgainMs);
      }
    },
    async until<Data>(path: string, isThere: (data: Data) => boolean) {
      while (!isClosing()) {
        const data = await ask<Data>({ method: "GET", path });
        if (data !== undefined && isThere(data)) return data;
        await pause(readAgainMs);
      }
      return undefined;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
