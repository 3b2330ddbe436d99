/** Reads a stream of server-sent events over a real connection, as a browser would. */
export interface Message {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface SseReader {
  readonly reply: Response;
  /** The next messages that have data. */
  take(count: number): Promise<Message[]>;
  /** Waits for the first sign of life: the server has told where the stream begins. */
  quiet(): Promise<void>;
  /** Waits until the server ends the stream, in order; throws when the connection broke. */
  ended(): Promise<void>;
  /** What a browser would send as Last-Event-ID. */
  lastId(): string;
  stop(): void;
}

interface ReaderOptions {
  /** A program comes with a key, a person with the cookie of a session. */
  readonly key?: string;
  readonly cookie?: string;
  readonly lastId?: string | undefined;
}

export async function sseReader(url: string, { key, cookie, lastId: from }: ReaderOptions): Promise<SseReader> {
  const stopping = new AbortController();
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(cookie === undefined ? {} : { cookie }),
    accept: "text/event-stream",
    ...(from === undefined ? {} : { "last-event-id": from }),
  };
  const reply = await fetch(url, { headers, signal: stopping.signal });
  const blocks = reply.status === 200 ? blocksOf(reply) : undefined;
  let lastId = from ?? "";
  const next = async (): Promise<string[] | undefined> => {
    const { value, done } = (await blocks?.next()) ?? { value: undefined, done: true };
    if (done === true || value === undefined) return undefined;
    const lines = value.split("\n");
    lastId = fieldOf(lines, "id") ?? lastId;
    return lines;
  };
  return {
    reply,
    lastId: () => lastId,
    stop: () => stopping.abort(),
    async take(count) {
      const taken: Message[] = [];
      while (taken.length < count) {
        const lines = await next();
        if (lines === undefined) throw new Error(`the stream ended after ${taken.length} of ${count}`);
        const data = fieldOf(lines, "data");
        if (data !== undefined) taken.push({ id: lastId, data: JSON.parse(data) });
      }
      return taken;
    },
    async quiet() {
      for (let lines = await next(); lines !== undefined; lines = await next()) {
        if (fieldOf(lines, "id") !== undefined) return;
      }
      throw new Error("the stream ended");
    },
    async ended() {
      while ((await next()) !== undefined);
    },
  };
}

function fieldOf(lines: readonly string[], name: string): string | undefined {
  return lines.findLast((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
}

async function* blocksOf(reply: Response): AsyncGenerator<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of reply.body ?? []) {
    text += decoder.decode(part, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    yield* blocks;
  }
}
