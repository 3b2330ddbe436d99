/** Every address of the console: who may go where, and where a person begins. */
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { refuse, replyWith } from "../testing/replies.ts";
import type { Me } from "./api/me.ts";
import { createConsoleRouter } from "./routes.tsx";
import { rememberPlace } from "./shell/last-place.ts";
import { operatorRooms, roomsOf } from "./shell/rooms.ts";
import { safePath } from "./shell/sign-in-page.tsx";
import { ada } from "./testing/in-console.tsx";

afterEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
});

const me: Me = {
  ...ada,
  merchants: [
    {
      id: "m-1",
      name: "Mama Put",
      role: "owner",
      environments: [
        { id: "live", kind: "LIVE", name: "Live" },
        { id: "box", kind: "SANDBOX", name: "Sandbox" },
      ],
    },
  ],
};

async function goTo(address: string, person: Me | Response) {
  vi.spyOn(window, "scrollTo").mockReturnValue();
  replyWith({ "GET /console/api/me": () => (person instanceof Response ? person.clone() : person) });
  window.history.pushState({}, "", `/console${address}`);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createConsoleRouter(queries);
  await router.load();
  const { location, matches } = router.state;
  return { path: location.pathname, search: location.search, matched: matches.at(-1)?.fullPath, router };
}

test("a person begins in a sandbox, where nothing can go wrong", async () => {
  expect((await goTo("/", me)).path).toBe("/e/box");
});

test("or where that browser was last", async () => {
  rememberPlace("live");
  expect((await goTo("/", me)).path).toBe("/e/live");
});

test("not where that person may not be any more", async () => {
  rememberPlace("gone");
  expect((await goTo("/", me)).path).toBe("/e/box");
});

test("an operator without a merchant begins in the operator's house", async () => {
  expect((await goTo("/", { ...ada, operator: { role: "admin" } })).path).toBe("/operator");
});

test("somebody on no team stays at the start", async () => {
  expect((await goTo("/", ada)).path).toBe("/");
});

const signedOut = () => refuse(401, "signed_out");

test.each(["/e/box/transfers?status=failed", "/operator/queues", "/e/box"])(
  "who is not signed in and wants %s is led to the door, and back there afterwards",
  async (address) => {
    const { path, search } = await goTo(address, signedOut());
    expect(path).toBe("/sign-in");
    const { to } = search as { to: string };
    expect(safePath(to)).toBe(address);
  },
);

test.each(["/sign-in", "/join?token=t"])("%s is open to everybody", async (address) => {
  expect((await goTo(address, signedOut())).path).toBe(address.split("?")[0]);
});

test("a server that is away is no reason to sign in", async () => {
  const { path } = await goTo("/e/box", refuse(503, "unavailable"));
  expect(path).toBe("/e/box");
});

test.each(roomsOf("SANDBOX").map(({ title, path }) => [title, path] as const))(
  "the room %s of an environment has a page",
  async (_title, path) => {
    const { matched } = await goTo(`/e/box${path}`, me);
    expect(matched?.replace(/\/$/, "")).toBe(`/e/$environmentId${path}`);
  },
);

test.each(operatorRooms.map(({ title, path }) => [title, path] as const))(
  "the operator's room %s has a page",
  async (_title, path) => {
    const { matched } = await goTo(`/operator${path}`, { ...ada, operator: { role: "admin" } });
    expect(matched?.replace(/\/$/, "")).toBe(`/operator${path}`);
  },
);

test.each([
  "/transfers/t-1",
  "/bulk/b-1",
  "/bills/b-1",
  "/loans/l-1",
  "/customers/c-1",
  "/checkout/s-1",
  "/checkout-loans/l-1",
  "/events/e-1",
  "/approvals/a-1",
  "/requests/r-1",
  "/trace/x-1",
])("a record at %s has a page of its own", async (path) => {
  const { matched } = await goTo(`/e/box${path}`, me);
  expect(matched).toBe(`/e/$environmentId${path.replace(/[^/]+$/, "$id")}`);
});

test("a payout's receipt has an address of its own", async () => {
  const { matched } = await goTo("/e/box/transfers/t-1/receipt", me);
  expect(matched).toBe("/e/$environmentId/transfers/$id/receipt");
});

test.each(["/transfers/t-1", "/bills/b-1", "/connections/c-1", "/incidents/i-1", "/verifications/v-1", "/trace/x-1"])(
  "an operator's record at %s has a page of its own",
  async (path) => {
    const { matched } = await goTo(`/operator${path}`, { ...ada, operator: { role: "admin" } });
    expect(matched).toBe(`/operator${path.replace(/[^/]+$/, "$id")}`);
  },
);
