/** Which paths are doors, what is behind them, and from where changes may come. */
import type { IncomingMessage } from "node:http";
import fc from "fast-check";
import type { FastifyReply, FastifyRequest } from "fastify";
import { describe, expect, test } from "vitest";
import { doorOf, isReading, keepDoors, openDoor } from "./door.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const publicUrl = "https://pay.example.com";
const raw = (url?: string) => ({ url }) as IncomingMessage;

interface Asked {
  readonly url: string;
  readonly guard?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly host?: string;
  readonly publicUrl?: string;
}

/** Walks a request through the door and past its keeper; returns the code of a refusal, or "in". */
function knock({ url, guard = "key", method = "GET", headers = {}, host = "localhost:4000", ...rest }: Asked): string {
  const message = raw(url);
  openDoor(message);
  const request = {
    raw: message,
    originalUrl: url,
    method,
    headers,
    host,
    routeOptions: { config: { guard } },
  } as unknown as FastifyRequest;
  let verdict = "nothing was said";
  const done = (error?: { readonly code?: string }) => {
    verdict = error === undefined ? "in" : String(error.code);
  };
  const keeper = keepDoors(rest.publicUrl ?? publicUrl) as unknown as (
    asked: FastifyRequest,
    reply: FastifyReply,
    next: typeof done,
  ) => void;
  keeper(request, {} as FastifyReply, done);
  return verdict;
}

describe("a door", () => {
  test.each([
    [`/console/api/environments/${id}/transfers`, "/transfers", { guard: "key", environmentId: id }],
    [`/console/api/environments/${id}/transfers?page=2`, "/transfers?page=2", { guard: "key", environmentId: id }],
    [`/console/api/environments/${id.toUpperCase()}/bills`, "/bills", { guard: "key", environmentId: id }],
    [`/console/api/environments/${id}/`, "/", { guard: "key", environmentId: id }],
    ["/console/api/operator/merchants", "/operator/merchants", { guard: "operator" }],
    ["/console/api/operator/", "/operator/", { guard: "operator" }],
  ])("%s leads to %s", (url, path, door) => {
    const message = raw(url);
    expect(openDoor(message)).toBe(path);
    expect(doorOf({ raw: message } as FastifyRequest)).toEqual(door);
  });

  test.each([
    "/transfers",
    "/operator/merchants",
    "/console/api/me",
    "/console/api/operator",
    "/console/api/operators/merchants",
    `/console/api/environments/${id}`,
    `/console/api/environments/${id}transfers`,
    "/console/api/environments/not-an-id/transfers",
    `/console/api/environments/${id.slice(1)}/transfers`,
    `//console/api/environments/${id}/transfers`,
    `/x/console/api/environments/${id}/transfers`,
    `/console/api/environments/%30${id.slice(1)}/transfers`,
    "",
  ])("is not at %j, which stays as it is", (url) => {
    const message = raw(url);
    expect(openDoor(message)).toBe(url);
    expect(doorOf({ raw: message } as FastifyRequest)).toBeUndefined();
  });

  test("is taken off once: what is left of a prefix in a prefix is no door again", () => {
    const inner = `/console/api/environments/${id}/transfers`;
    expect(openDoor(raw(`/console/api/environments/${id}${inner}`))).toBe(inner);
    expect(openDoor(raw(`/console/api/environments/${id}/console/api/operator/people`))).toBe(
      "/console/api/operator/people",
    );
  });

  test("belongs to its own request, and a path without one is the root", () => {
    const [first, second] = [raw("/console/api/operator/people"), raw("/operator/people")];
    openDoor(first);
    openDoor(second);
    expect(doorOf({ raw: first } as FastifyRequest)).toEqual({ guard: "operator" });
    expect(doorOf({ raw: second } as FastifyRequest)).toBeUndefined();
    expect(openDoor(raw())).toBe("/");
  });

  test("never leads out of the paths of the API, whatever follows the prefix", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w.%/?=-]{0,40}$/), (path) => {
        const led = openDoor(raw(`/console/api/environments/${id}/${path}`));
        expect(led).toBe(`/${path}`);
      }),
    );
  });
});

describe("the keeper of doors", () => {
  const environment = `/console/api/environments/${id}/transfers`;

  test.each([
    ["a key's route behind an environment's door", { url: environment, guard: "key" }, "in"],
    ["an operator's route behind an environment's door", { url: environment, guard: "operator" }, "not_found"],
    ["a person's route behind an environment's door", { url: environment, guard: "person" }, "not_found"],
    ["an open route behind an environment's door", { url: environment, guard: "none" }, "not_found"],
    ["an operator's route behind theirs", { url: "/console/api/operator/people", guard: "operator" }, "in"],
    ["a key's route behind the operator's", { url: "/console/api/operator/people", guard: "key" }, "not_found"],
    ["a person's own route, which needs no door", { url: "/console/api/me", guard: "person" }, "in"],
    ["any path that is not the console's", { url: "/transfers", method: "POST" }, "in"],
  ])("has %s", (_, asked, verdict) => {
    expect(knock(asked)).toBe(verdict);
  });

  const ours = { origin: publicUrl, "x-jara-console": "1" };

  test.each([
    ["our own pages", ours, "in"],
    ["a page of another origin", { ...ours, origin: "https://evil.example" }, "cross_site_request"],
    ["a page of another port", { ...ours, origin: `${publicUrl}:8443` }, "cross_site_request"],
    ["a page without TLS", { ...ours, origin: "http://pay.example.com" }, "cross_site_request"],
    ["a page of a name that begins like ours", { ...ours, origin: `${publicUrl}.evil.example` }, "cross_site_request"],
    ["a sandboxed frame", { ...ours, origin: "null" }, "cross_site_request"],
    ["nobody knows where", { "x-jara-console": "1" }, "cross_site_request"],
    ["a form, which can send no header", { origin: publicUrl }, "cross_site_request"],
    ["a header of another value", { ...ours, "x-jara-console": "true" }, "cross_site_request"],
  ])("has changes that come from %s judged", (_, headers, verdict) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect(knock({ url: environment, method, headers }), method).toBe(verdict);
      expect(knock({ url: "/console/api/me", guard: "person", method, headers }), method).toBe(verdict);
    }
  });

  test("lets anybody read: a page of another origin cannot see what comes back", () => {
    for (const method of ["GET", "HEAD"]) expect(knock({ url: environment, method })).toBe("in");
  });

  test("knows a local server by every name that it is called by, and a public one by its own only", () => {
    const headers = { origin: "http://127.0.0.1:4000", "x-jara-console": "1" };
    const asked = { url: environment, method: "POST", headers, host: "127.0.0.1:4000" };
    expect(knock({ ...asked, publicUrl: "http://localhost:4000" })).toBe("in");
    expect(knock({ ...asked, publicUrl: "http://localhost:4000", host: "localhost:4000" })).toBe("cross_site_request");
    expect(knock({ ...asked, publicUrl })).toBe("cross_site_request");
  });

  test.each(["CONSOLE/api", "console/API", "Console/Api"])(
    "is not passed by the path /%s: no door is there",
    (prefix) => {
      const message = raw(`/${prefix}/environments/${id}/transfers`);
      openDoor(message);
      expect(doorOf({ raw: message } as FastifyRequest)).toBeUndefined();
    },
  );

  test("is not passed by asking behind a wrong door from a right page", () => {
    expect(knock({ url: environment, guard: "operator", method: "POST", headers: ours })).toBe("not_found");
  });
});

test.each([
  ["GET", true],
  ["HEAD", true],
  ["OPTIONS", false],
  ["POST", false],
  ["get", false],
])("%s is reading: %s", (method, reading) => {
  expect(isReading({ method } as FastifyRequest)).toBe(reading);
});
