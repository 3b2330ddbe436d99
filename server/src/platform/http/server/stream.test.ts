import { Type } from "typebox";
import { expect, test } from "vitest";
import { createTestApp } from "../../../../testing/app.ts";
import { eventually } from "../../../../testing/work.ts";
import { describeRoute } from "../route.ts";

const chunkBytes = 65_536;
const state = { made: 0, ended: false, failsAt: Number.POSITIVE_INFINITY };

async function* endless(): AsyncGenerator<string> {
  try {
    for (;;) {
      state.made += 1;
      if (state.made >= state.failsAt) throw new Error("the inner secret");
      yield "x".repeat(chunkBytes);
    }
  } finally {
    state.ended = true;
  }
}

const fileRoute = (path: `/${string}`, stallMs?: number) =>
  describeRoute("key", {
    method: "GET",
    path,
    operationId: path === "/odd/file" ? "readFile" : "readFileSoon",
    tag: "Sandbox",
    scope: "transfers:read",
    summary: "Read a file",
    description: "For tests.",
    reply: { status: 200, message: "Done.", data: Type.Object({}), alsoAs: { "text/plain": "x" } },
    problems: ["not_acceptable"],
    handle: async ({ mediaType }) => {
      if (mediaType !== "text/plain") return { data: { mediaType } };
      return { mediaType, chunks: endless(), ...(stallMs === undefined ? {} : { stallMs }) };
    },
  });

const testing = await createTestApp({
  extraRoutes: [fileRoute("/odd/file"), fileRoute("/odd/impatient", 200)],
});
const address = await testing.app.listen({ host: "127.0.0.1", port: 0 });

async function ask(path = "/odd/file"): Promise<{ reader: ReadableStreamDefaultReader<Uint8Array>; stop(): void }> {
  Object.assign(state, { made: 0, ended: false });
  const stopping = new AbortController();
  const headers = { authorization: `Bearer ${testing.merchant.secretKey}`, accept: "text/plain" };
  const reply = await fetch(`${address}${path}`, { headers, signal: stopping.signal });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  if (reply.body === null) throw new Error("a reply without a body");
  return { reader: reply.body.getReader(), stop: () => stopping.abort() };
}

test("a caller who stops reading stops the making, and one who leaves ends it", async () => {
  state.failsAt = Number.POSITIVE_INFINITY;
  const { reader, stop } = await ask();
  await reader.read();
  // What is made ahead fills the buffers of both ends and no more.
  let before = -1;
  await eventually("the making stands still", async () => {
    const still = state.made === before;
    before = state.made;
    await new Promise((resolve) => setTimeout(resolve, 50));
    return still && state.made === before;
  });
  expect(state.made * chunkBytes).toBeLessThan(32 * 1_048_576);
  expect(state.ended).toBe(false);
  stop();
  await eventually("the making ends", () => state.ended);
});

test("a failure half-way cuts the connection, so that half a file is not taken for a whole one", async () => {
  state.failsAt = 4;
  const { reader } = await ask();
  const readAll = async () => {
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += Buffer.from(value).toString();
    }
  };
  await expect(readAll()).rejects.toThrow();
});

test("a caller who takes nothing for too long is cut off", async () => {
  state.failsAt = Number.POSITIVE_INFINITY;
  const { reader } = await ask("/odd/impatient");
  await reader.read();
  await eventually("the making ends", () => state.ended);
  const readAll = async () => {
    while (!(await reader.read()).done);
  };
  await expect(readAll()).rejects.toThrow();
});
