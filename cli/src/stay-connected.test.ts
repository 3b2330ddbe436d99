import { JaraApiError, JaraConnectionError } from "@jara/sdk";
import { describe, expect, test } from "vitest";
import { stayConnected } from "./stay-connected.ts";

/** Reads what the test says, one after the other; `said` are the remarks. */
function follow() {
  const stop = new AbortController();
  const said: string[] = [];
  const screen = { remark: (text: string) => void said.push(text) } as Parameters<typeof stayConnected>[0]["screen"];
  return { stop, said, given: { screen, stopped: stop.signal } };
}
const broken = () => new JaraConnectionError("The line is broken.", { operation: "GET /x" } as never);

/** As the client throws it for a reply with this status. */
async function refused(status: number): Promise<unknown> {
  const { Jara } = await import("@jara/sdk");
  const fetch = async () => Response.json({ status: false, code: "no", message: "No." }, { status });
  const jara = new Jara({ secretKey: "sk_test_1", fetch, maxRetries: 0 });
  return jara.request("GET /events/feed").catch((error: unknown) => error);
}

test("what is read is taken, until nothing more is wanted", async () => {
  const { given, said } = follow();
  const taken: number[] = [];
  let next = 0;
  await stayConnected(given, {
    read: async () => {
      next += 1;
      return next;
    },
    take: async (reply) => {
      taken.push(reply);
      return reply < 3;
    },
  });
  expect([taken, said]).toEqual([[1, 2, 3], []]);
});

test("who is stopped before reads nothing", async () => {
  const { given, stop } = follow();
  stop.abort();
  let reads = 0;
  await stayConnected(given, {
    read: async () => {
      reads += 1;
    },
    take: async () => true,
  });
  expect(reads).toBe(0);
});

test("a read that ends because of the stop is no error", async () => {
  const { given, stop, said } = follow();
  await stayConnected(given, {
    read: async () => {
      stop.abort();
      throw new Error("aborted");
    },
    take: async () => true,
  });
  expect(said).toEqual([]);
});

describe("a server that is away", () => {
  test("is said to be away once, and who stops meanwhile is let go at once", async () => {
    const { given, stop, said } = follow();
    let reads = 0;
    const following = stayConnected(given, {
      read: async () => {
        reads += 1;
        throw broken();
      },
      take: async () => true,
    });
    await expect.poll(() => said).toEqual(["The server is away. Waiting for it; nothing is lost."]);
    stop.abort();
    await following;
    expect(reads).toBe(1);
  });

  test.each([500, 502, 503, 429])("may also reply, with %d", async (status) => {
    const { given, stop, said } = follow();
    const error = await refused(status);
    expect(error).toBeInstanceOf(JaraApiError);
    const following = stayConnected(given, {
      read: async () => {
        throw error;
      },
      take: async () => true,
    });
    await expect.poll(() => said).toHaveLength(1);
    stop.abort();
    await following;
  });

  test("that is back is told", async () => {
    const { given, said } = follow();
    let reads = 0;
    await stayConnected(given, {
      read: async () => {
        reads += 1;
        if (reads === 1) throw broken();
        return reads;
      },
      take: async () => false,
    });
    expect(said).toEqual(["The server is away. Waiting for it; nothing is lost.", "The server is back."]);
  });
});

test.each([400, 401, 403, 404])("a refusal with %d ends it: asking again would change nothing", async (status) => {
  const { given, said } = follow();
  const error = await refused(status);
  const following = stayConnected(given, {
    read: async () => {
      throw error;
    },
    take: async () => true,
  });
  await expect(following).rejects.toBe(error);
  expect(said).toEqual([]);
});

test("what the reader can mend is read again at once, and nothing is said here", async () => {
  const { given, said } = follow();
  let place = "gone";
  const seen: unknown[] = [];
  await stayConnected(given, {
    read: async () => {
      if (place === "gone") throw new Error("the place is gone");
      return place;
    },
    take: async (reply) => {
      seen.push(reply);
      return false;
    },
    mend: (error) => {
      seen.push((error as Error).message);
      place = "new";
      return true;
    },
  });
  expect([seen, said]).toEqual([["the place is gone", "new"], []]);
});

test("a slip of the one who takes is not taken for a broken line", async () => {
  const { given, said } = follow();
  const following = stayConnected(given, {
    read: async () => 1,
    take: async () => {
      throw new Error("a bug");
    },
  });
  await expect(following).rejects.toThrow("a bug");
  expect(said).toEqual([]);
});
