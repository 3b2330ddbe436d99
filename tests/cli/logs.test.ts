/** `jara logs`: requests as they happen, and one of them whole, as processes of their own. */
import { expect, test } from "vitest";
import { eventually } from "../../server/testing/work.ts";
import type { Running } from "./jara-process.ts";
import { createCommandWorld } from "./world.ts";

const { jara, sdk, baseUrl, createJara, otherKey } = await createCommandWorld();

async function tail(...words: string[]): Promise<Running> {
  const running = jara.start("logs", "tail", ...words);
  await running.says("Ctrl-C ends it");
  return running;
}

async function stop(running: Running) {
  running.child.kill("SIGINT");
  return running.ended();
}

let made = 0;
function pay(reference = `logs-${++made}`) {
  return sdk.transfers.create({ accountNumber: "0123456789", bankCode: "058", amount: 500, reference });
}

/** The request that made this record, once it is in the log. */
async function requestOf(recordId: string): Promise<string> {
  let id: string | undefined;
  await eventually("it is logged", async () => {
    for await (const one of sdk.requests.list({ method: "POST" })) if (one.recordId === recordId) id = one.id;
    return id !== undefined;
  });
  return id ?? "";
}

test("tail prints each request once as it happens, and Ctrl-C ends it well", async () => {
  const running = await tail();
  const { id } = await pay();
  const request = await requestOf(id);
  await running.says(request);
  const { code, out } = await stop(running);
  expect(code).toBe(0);
  expect(out.split("\n").filter((line) => line.includes(request))).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d {2}201 {2}POST {4}\/transfers {2,}\d+ ms {2}req_\S+$/),
  ]);
  expect(out).not.toContain("/requests/feed");
});

test("tail prints only what is asked for, as JSON lines for scripts", async () => {
  const running = await tail("--status", "4xx", "--method", "get", "--path", "/transfers", "--json");
  await pay();
  await expect(sdk.transfers.get("01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11")).rejects.toThrow();
  await running.says("transfer_not_found");
  const { out } = await stop(running);
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({ method: "GET", status: 404, code: "transfer_not_found", route: "/transfers/{id}" }),
  ]);
});

test("tail shows nothing of another merchant's", async () => {
  const theirs = createJara(otherKey).start("logs", "tail");
  await theirs.says("Ctrl-C ends it");
  const own = await tail();
  const request = await requestOf((await pay()).id);
  await own.says(request);
  await stop(own);
  expect((await stop(theirs)).out).toBe("");
});

test.each([
  ["--status", "bad"],
  ["--status", "6xx"],
  ["--method", "LOOK"],
])("tail %s %s is not understood", async (...words) => {
  expect(await jara.run("logs", "tail", ...words)).toMatchObject({ code: 2, out: "" });
});

test("show tells a payout's request, its bodies masked, and the records it made", async () => {
  const { id } = await pay();
  await sdk.transfers.waitUntilFinal(id);
  const request = await requestOf(id);
  const { code, out } = await jara.run("logs", "show", request);
  expect(code).toBe(0);
  expect(out).toMatch(/^request +POST \/transfers\nstatus +201\n/);
  expect(out).toMatch(new RegExp(`\nid +${request}\n`));
  expect(out).toMatch(/\nSent\n\{[^}]* {2}"accountNumber": "\*{6}6789"/);
  expect(out).toMatch(/\nReturned\n\{/);
  expect(out).toMatch(new RegExp(`transfer +${id}\n`));
  expect(out).toContain(`jara trace ${request} `);
  expect(out).not.toContain("0123456789");
  const json = JSON.parse((await jara.run("logs", "show", request, "--json")).out);
  expect(json).toMatchObject({ id: request, records: expect.arrayContaining([{ kind: "transfer", id }]) });
});

test("show tells where a refusal is explained", async () => {
  const refused = await sdk.transfers.get("01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11").catch((error) => error);
  await eventually("it is logged", () =>
    sdk.requests.get(refused.requestId).then(
      () => true,
      () => false,
    ),
  );
  const { out } = await jara.run("logs", "show", refused.requestId);
  expect(out).toContain("transfer_not_found");
  expect(out).toContain(`${baseUrl}/docs/errors#transfer_not_found`);
  expect(out).not.toContain("RECORD");
});

test("a request that nobody sent is not found", async () => {
  expect(await jara.run("logs", "show", "req_nothing")).toMatchObject({ code: 5, out: "" });
});

test("trace begins with the request, by its id or by the record's", async () => {
  const { id } = await pay();
  const request = await requestOf(id);
  const [, first, , third] = (await jara.run("trace", id)).out.split("\n");
  expect(first).toMatch(/^├─ ✓ .* request: POST \/transfers$/);
  expect(third).toContain(request);
  expect((await jara.run("trace", request)).out.split("\n")[1]).toBe(first);
});
