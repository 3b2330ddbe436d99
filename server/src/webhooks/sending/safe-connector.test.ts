/**
 * Nothing that a merchant can write or resolve may lead a live webhook to an address that is not public. A canary
 * listens on this machine, on every address of it; no connection may reach it.
 */
import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { Agent, request } from "undici";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { forbidden4, forbidden6, version4Notations } from "../../../testing/platform/address-notations.ts";
import { testCertificate } from "../../../testing/platform/test-certificate.ts";
import { type Block, parseBlock } from "../../platform/http/guard/address-blocks.ts";
import { isReachable, type ReachPolicy, reachPolicyFor, type WebhookReach } from "../endpoints/reachable-address.ts";
import { readWebhookUrl } from "../endpoints/webhook-url.ts";
import { AddressRefusedError, createSafeConnector, type ResolveHost } from "./safe-connector.ts";

/** At which of our addresses each connection arrived. */
let reached: (string | undefined)[] = [];
const canary = createServer((socket) => {
  reached.push(socket.localAddress);
  socket.on("error", () => undefined);
  socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
});
canary.listen(0, "::");
await once(canary, "listening");
afterAll(() => canary.close());
const { port } = canary.address() as AddressInfo;

beforeEach(() => {
  reached = [];
});

/** As a live environment, but the port of the canary is open: what stops us must be the address. */
const laptop: WebhookReach = { blocks: [], sandboxLoopback: true };
const live: ReachPolicy = { ...reachPolicyFor("LIVE", laptop), ports: [port] };
const sandbox = reachPolicyFor("SANDBOX", laptop);

const resolvingTo = (...addresses: readonly string[]): ResolveHost => {
  const found: LookupAddress[] = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return async () => found;
};

function blockOf(entry: string): Block[] {
  const block = parseBlock(entry);
  return block === undefined ? [] : [block];
}

async function call(url: string, policy = live, resolve?: ResolveHost): Promise<number> {
  const connect = createSafeConnector({ policy, timeoutMs: 2_000, ...(resolve === undefined ? {} : { resolve }) });
  const dispatcher = new Agent({ connect });
  try {
    return (await request(url, { method: "POST", body: "{}", dispatcher })).statusCode;
  } finally {
    await dispatcher.destroy();
  }
}

const notations = [
  ...forbidden4.flatMap((address) => version4Notations(address)),
  ...forbidden6.map((address) => `[${address}]`),
];

test("the canary can be reached, so that its silence means something", async () => {
  expect(await call(`http://127.0.0.1:${port}/`, sandbox)).toBe(200);
  expect(await call(`http://[::1]:${port}/`, sandbox)).toBe(200);
  expect(reached).toEqual(["::ffff:127.0.0.1", "::1"]);
});

test("there are at least 250 notations to try", () => {
  expect(new Set(notations).size).toBeGreaterThanOrEqual(250);
});

describe("in a live environment", () => {
  test.each(notations)("the literal %s is refused when the endpoint is made and when it is called", async (host) => {
    const url = `https://${host}:${port}/hooks`;
    const verdict = readWebhookUrl(url, live);
    expect(verdict).toHaveProperty("refusal");
    if (URL.canParse(url)) await expect(call(url)).rejects.toThrow(AddressRefusedError);
    expect(reached).toEqual([]);
  });

  test.each([...forbidden4, ...forbidden6])("a name that resolves to %s is refused", async (address) => {
    await expect(call(`https://shop.example.com:${port}/`, live, resolvingTo(address))).rejects.toThrow(
      AddressRefusedError,
    );
    expect(reached).toEqual([]);
  });

  test("a public address beside a forbidden one does not help", async () => {
    const resolve = resolvingTo("93.184.216.34", "127.0.0.1");
    await expect(call(`https://shop.example.com:${port}/`, live, resolve)).rejects.toThrow(AddressRefusedError);
    expect(reached).toEqual([]);
  });

  test.each(["93.184.216.34", "[2606:4700::6810:84e5]"])("even the public literal %s is refused", async (host) => {
    await expect(call(`https://${host}:${port}/`)).rejects.toThrow(AddressRefusedError);
  });

  test.each(["localhost", "LOCALHOST.", "a.localhost", "metadata.google.internal", "printer.local", "intranet"])(
    "the inner name %s is refused",
    async (host) => {
      expect(readWebhookUrl(`https://${host}:${port}/`, live)).toHaveProperty("refusal");
      await expect(call(`https://${host}:${port}/`)).rejects.toThrow(AddressRefusedError);
      expect(reached).toEqual([]);
    },
  );

  test("http is refused also for a public name", async () => {
    const resolve = resolvingTo("93.184.216.34");
    await expect(call(`http://shop.example.com:${port}/`, live, resolve)).rejects.toThrow(/https/);
  });

  test.each([80, 22, 5432, 4430, 10_443])("port %i is refused", (other) => {
    expect(readWebhookUrl(`https://shop.example.com:${other}/`, reachPolicyFor("LIVE", laptop))).toHaveProperty(
      "refusal",
    );
  });

  test.each(["https://shop.example.com/hooks", "https://shop.example.com:8443/hooks?a=1"])("%s is taken", (url) => {
    expect(readWebhookUrl(url, reachPolicyFor("LIVE", laptop))).toEqual({ url });
  });
});

describe("a name that changes its address", () => {
  test("is judged by the very answer that is connected to", async () => {
    const answers = ["::1", "127.0.0.1", "::1", "127.0.0.1"];
    let asked = 0;
    const rebinding: ResolveHost = async () => {
      const address = answers[asked] ?? "127.0.0.1";
      asked += 1;
      return resolvingTo(address)("");
    };
    const policy = { ...live, allowed: blockOf("::1") };
    const url = `https://rebind.example.com:${port}/`;
    // The good answer is connected to (the canary speaks no TLS); were the name resolved again, the bad one would be.
    await expect(call(url, policy, rebinding)).rejects.not.toThrow(AddressRefusedError);
    await expect(call(url, policy, rebinding)).rejects.toThrow(AddressRefusedError);
    await expect(call(url, policy, rebinding)).rejects.not.toThrow(AddressRefusedError);
    await expect(call(url, policy, rebinding)).rejects.toThrow(AddressRefusedError);
    expect(asked).toBe(4);
    expect(reached).toEqual(["::1", "::1"]);
  });

  test("cannot pass by a socket that ended up elsewhere: not one byte is sent", async () => {
    let received = 0;
    const elsewhere = createServer((socket) => {
      socket.on("data", (chunk) => {
        received += chunk.length;
      });
      socket.on("error", () => undefined);
    });
    elsewhere.listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    const { port: other } = elsewhere.address() as AddressInfo;
    // The address turns between the check and the connection, as no honest list does; the socket's own address tells.
    let reads = 0;
    const shifty: LookupAddress = {
      get address() {
        reads += 1;
        return reads === 1 ? "93.184.216.34" : "127.0.0.1";
      },
      family: 4,
    };
    const policy = { ...live, ports: [other] };
    await expect(call(`https://shop.example.com:${other}/`, policy, async () => [shifty])).rejects.toThrow(
      AddressRefusedError,
    );
    elsewhere.close();
    expect(received).toBe(0);
  });
});

describe("a connection by https", () => {
  const opened = { ...live, allowed: blockOf("127.0.0.0/8") };

  async function post(host: string, ca?: string): Promise<string> {
    const server = createTlsServer(testCertificate, (_, reply) => void reply.end("thanks"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port: other } = server.address() as AddressInfo;
    const connect = createSafeConnector({
      policy: { ...opened, ports: [other] },
      timeoutMs: 2_000,
      resolve: resolvingTo("127.0.0.1"),
      ...(ca === undefined ? {} : { ca }),
    });
    const dispatcher = new Agent({ connect });
    try {
      const reply = await request(`https://${host}:${other}/`, { method: "POST", body: "{}", dispatcher });
      return await reply.body.text();
    } finally {
      await dispatcher.destroy();
      server.close();
    }
  }

  test("is made with the name that was asked for", async () => {
    expect(await post("shop.example.com", testCertificate.cert)).toBe("thanks");
  });

  test("is refused when the certificate is for another name or of nobody that is trusted", async () => {
    await expect(post("other.example.com", testCertificate.cert)).rejects.toThrow(/altnames/);
    await expect(post("shop.example.com")).rejects.toThrow(/self-signed/);
  });
});

describe("a block that the operator opened", () => {
  const opened = reachPolicyFor("LIVE", { blocks: blockOf("127.0.0.0/8"), sandboxLoopback: false });

  test("can be reached by name and by literal, its neighbours cannot", () => {
    expect(isReachable(opened, "127.0.0.1")).toBe(true);
    expect(isReachable(opened, "10.0.0.1")).toBe(false);
    expect(readWebhookUrl("https://127.0.0.1:8443/", opened)).toEqual({ url: "https://127.0.0.1:8443/" });
    expect(readWebhookUrl("https://hooks.internal/", opened)).toEqual({ url: "https://hooks.internal/" });
    expect(readWebhookUrl("https://10.0.0.1/", opened)).toHaveProperty("refusal");
  });

  test("still takes https and the two ports", () => {
    expect(readWebhookUrl("http://127.0.0.1:8443/", opened)).toHaveProperty("refusal");
    expect(readWebhookUrl("https://127.0.0.1:9000/", opened)).toHaveProperty("refusal");
  });
});

describe("in a sandbox", () => {
  test.each(["http://localhost:3000/a", "http://127.0.0.1:9/", "http://[::1]:9/", "https://shop.example.com/"])(
    "%s is taken",
    (url) => {
      expect(readWebhookUrl(url, sandbox)).toEqual({ url });
    },
  );

  test.each(forbidden4.filter((address) => !address.startsWith("127.")))("%s is refused all the same", (address) => {
    expect(readWebhookUrl(`http://${address}/`, sandbox)).toHaveProperty("refusal");
    expect(isReachable(sandbox, address)).toBe(false);
  });
});

describe("in a sandbox of a server in production", () => {
  const closed = reachPolicyFor("SANDBOX", { blocks: [], sandboxLoopback: false });

  test.each([
    "http://localhost:3000/a",
    "http://127.0.0.1:9/",
    "http://[::1]:9/",
    "http://127.1/",
    "http://db.internal/",
  ])("%s is refused", (url) => {
    expect(readWebhookUrl(url, closed)).toHaveProperty("refusal");
  });

  test("a name that leads to this machine reaches nothing, unless the operator allows it", async () => {
    const url = `http://shop.example.com:${port}/`;
    await expect(call(url, closed, resolvingTo("127.0.0.1"))).rejects.toThrow("webhooks may not be sent to");
    expect(reached).toEqual([]);
    expect(await call(url, sandbox, resolvingTo("127.0.0.1"))).toBe(200);
  });

  test("plain http to a public host is taken", () => {
    expect(readWebhookUrl("http://shop.example.com/", closed)).toEqual({ url: "http://shop.example.com/" });
  });
});

test.each(["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700::1", "2a00:1450:4001::1", "2001:4860:4860::8888"])(
  "%s is public",
  (address) => {
    expect(isReachable(live, address)).toBe(true);
  },
);
