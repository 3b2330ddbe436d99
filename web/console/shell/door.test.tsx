/** The console's doors: signing in, joining by an invitation, and proving who one is in the middle of something. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import { button, draw, field, hasButton, press, pressKey, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, brokenLine, held, refuse, replyWith } from "../../testing/replies.ts";
import { peopleDoor, write } from "../api/client.ts";
import { drawInConsole } from "../testing/in-console.tsx";
import { JoinPage } from "./join-page.tsx";
import { ProofWindow } from "./proof-window.tsx";
import { SignInPage } from "./sign-in-page.tsx";

const bodies = (asked: readonly Asked[], path: string) =>
  asked.filter((each) => each.path === `/console/api${path}`).map(({ body }) => body);

async function signIn(replies: Parameters<typeof replyWith>[0], search = "") {
  const asked = replyWith(replies);
  const place = await drawInConsole(<SignInPage />, { address: `/here${search}` });
  return { asked, place };
}
async function typeIn(email = "  ada@example.com ", password = " four words are good ") {
  await type("E-mail", email);
  await type("Password", password);
  await press("Sign in");
}

test("an e-mail is trimmed and a password is not, and the start page follows", async () => {
  const { asked, place } = await signIn({ "POST /console/api/sign-in": () => ({}) });
  await typeIn();
  expect(bodies(asked, "/sign-in")).toEqual([{ email: "ada@example.com", password: " four words are good " }]);
  await expect.poll(place).toBe("/");
});

test("a wrong password says so, and the form can be sent again", async () => {
  const refused = () => refuse(401, "sign_in_wrong", { message: "They do not belong together." });
  const { place } = await signIn({ "POST /console/api/sign-in": refused });
  await typeIn();
  expect(document.querySelector("[role=alert]")?.textContent).toBe("They do not belong together.");
  expect(button("Sign in")).toHaveProperty("disabled", false);
  expect(place()).toContain("/here");
});

test("who has an app is asked for its code, and everything goes again with it", async () => {
  const reply = ({ body }: Asked) => ("code" in (body as object) ? {} : refuse(401, "code_needed"));
  const { asked } = await signIn({ "POST /console/api/sign-in": reply });
  await typeIn();
  expect(document.querySelector("[role=alert]")).toBeNull();
  await type("Code from your authenticator app", " 123456 ");
  await press("Sign in");
  expect(bodies(asked, "/sign-in")[1]).toMatchObject({ email: "ada@example.com", code: "123456" });
});

test("a link is used once, however often the page is drawn", async () => {
  const { asked, place } = await signIn({ "POST /console/api/sign-in-link": () => ({}) }, "?token=abc");
  await expect.poll(place).toBe("/");
  expect(bodies(asked, "/sign-in-link")).toEqual([{ token: "abc" }]);
});

test.each([
  ["/e/1/transfers", "/e/1/transfers"],
  ["/e/1/transfers?status=failed", "/e/1/transfers?status=failed"],
  ["/join?token=abc", "/join?token=abc"],
  ["https://evil.example/e/1", "/"],
  ["//evil.example", "/"],
])("who came from %s is led to %s afterwards", async (to, led) => {
  const { place } = await signIn({ "POST /console/api/sign-in": () => ({}) }, `?to=${encodeURIComponent(to)}`);
  await typeIn();
  await expect.poll(place).toBe(led);
});

test("too many tries are told without repeating anything", async () => {
  await signIn({ "POST /console/api/sign-in": () => refuse(429, "rate_limited") });
  await typeIn();
  expect(shown()).toContain("Wait a few minutes");
});

describe("who signed out while the server could not be told", () => {
  const signOut = "POST /console/api/auth/sign-out";

  test("is told that the session may be open, and can end it from the door", async () => {
    const { reply, give } = held();
    const { asked } = await signIn({ [signOut]: () => reply }, "?stayed=true");
    expect(document.querySelector("[role=alert]")?.textContent).toContain("you may still be signed in");
    expect(asked).toEqual([]);
    await press("Sign out again");
    expect(button("One moment")).toHaveProperty("disabled", true);
    await settle(() => give({}));
    await expect.poll(() => document.querySelector("[role=status]")?.textContent).toBe("You are signed out.");
    expect(asked).toHaveLength(1);
    expect([hasButton("Sign out again"), document.querySelector("[role=alert]")]).toEqual([false, null]);
  });

  test.each([
    ["the line is still broken", brokenLine],
    ["the server is not well", () => refuse(503, "unavailable")],
  ])("hears the truth again where %s, and can go on trying", async (_case, reply) => {
    let times = 0;
    await signIn({ [signOut]: () => (times++ === 0 ? reply() : {}) }, "?stayed=true");
    await press("Sign out again");
    await expect.poll(shown).toContain("anybody at this computer can open the console as you");
    expect(shown()).not.toContain("You are signed out.");
    await press("Sign out again");
    await expect.poll(shown).toContain("You are signed out.");
  });

  test("is out where the server knows no such session any more", async () => {
    await signIn({ [signOut]: () => refuse(401, "signed_out") }, "?stayed=true");
    await press("Sign out again");
    await expect.poll(shown).toContain("You are signed out.");
  });

  test("and nobody else is told so", async () => {
    await signIn({});
    expect(hasButton("Sign out again")).toBe(false);
  });
});

test("an invitation names its merchant, and makes an account with a password as it was typed", async () => {
  const asked = replyWith({
    "POST /console/api/invitations/look": () => ({
      merchantName: "Mama <i>Put</i>",
      email: "chidi@example.com",
      role: "finance",
      hasAccount: false,
    }),
    "POST /console/api/invitations/join": () => ({}),
    "GET /console/api/me": () => refuse(401, "signed_out"),
  });
  const place = await drawInConsole(<JoinPage />, { address: "/here?token=abc" });
  await expect.poll(shown).toContain("Join Mama <i>Put</i>");
  expect(shown()).toContain("As Finance");
  await type("Your name", "Chidi");
  await type("Choose a password", " twelve letters ");
  await press("Join");
  await expect.poll(place).toBe("/");
  expect(bodies(asked, "/invitations/join")).toEqual([
    { token: "abc", name: "Chidi", newPassword: " twelve letters " },
  ]);
});

test("who has an account already signs in first, and nothing can be joined in another's name", async () => {
  replyWith({
    "POST /console/api/invitations/look": () => ({
      merchantName: "M",
      email: "a@b.c",
      role: "viewer",
      hasAccount: true,
    }),
    "GET /console/api/me": () => ({ user: { email: "somebody@else.com" } }),
  });
  await drawInConsole(<JoinPage />, { address: "/here?token=abc" });
  await expect.poll(() => hasButton("Sign in")).toBe(true);
  expect(hasButton("Join")).toBe(false);
});

test("an invitation that was used says so", async () => {
  replyWith({ "POST /console/api/invitations/look": () => refuse(410, "used", { message: "It was used already." }) });
  await drawInConsole(<JoinPage />, { address: "/here?token=abc" });
  await expect.poll(() => document.querySelector("[role=alert]")?.textContent).toBe("It was used already.");
});

/** A write that wants a proof, with the window that asks for it. */
async function needsProof(ways: readonly string[], prove: (asked: Asked) => unknown = () => ({})) {
  let proven = false;
  const asked = replyWith({
    "POST /console/api/keys": () => (proven ? { secret: "s" } : refuse(403, "proof_needed", { data: { ways } })),
    "POST /console/api/prove": (request) => {
      const reply = prove(request);
      proven = !(reply instanceof Response);
      return reply;
    },
  });
  await draw(
    <QueryClientProvider client={new QueryClient()}>
      <ProofWindow />
    </QueryClientProvider>,
  );
  const result: { outcome?: unknown } = {};
  await settle(() => {
    void write(peopleDoor, "/keys").then(
      (data) => Object.assign(result, { outcome: data }),
      (error: { code: string }) => Object.assign(result, { outcome: error.code }),
    );
  });
  return { asked, result };
}

test("a proof lets the very same request go on, under the same key", async () => {
  const { asked, result } = await needsProof(["password"]);
  await type("Your password", " my password ");
  await press("Confirm");
  await expect.poll(() => result.outcome).toEqual({ secret: "s" });
  const keys = asked.filter(({ path }) => path.endsWith("/keys")).map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  expect(bodies(asked, "/prove")).toEqual([{ password: " my password " }]);
  expect(document.querySelector("[role=dialog]")).toBeNull();
});

test("a wrong proof stays in the window", async () => {
  const { result } = await needsProof(["code"], () => refuse(401, "proof_wrong", { message: "That is not it." }));
  await type("Code from your authenticator app", "000000");
  await press("Confirm");
  expect(document.querySelector("[role=alert]")?.textContent).toBe("That is not it.");
  expect(result.outcome).toBeUndefined();
  await press("Cancel");
});

test.each(["Cancel", "Escape"])("%s gives the request up, and nothing was sent again", async (way) => {
  const { asked, result } = await needsProof(["password"]);
  await (way === "Escape" ? pressKey("Escape", field("Your password")) : press("Cancel"));
  await expect.poll(() => result.outcome).toBe("proof_needed");
  expect(asked).toHaveLength(1);
});

test("who has nothing to prove it with is told how to get it", async () => {
  await needsProof([]);
  expect(shown()).toContain("only a fresh sign-in proves that it is you");
  expect(hasButton("Confirm")).toBe(false);
  await press("Close");
});

test("two requests that want a proof at once open one window", async () => {
  const { reply } = held();
  await needsProof(["password"], () => reply);
  await settle(() => void write(peopleDoor, "/keys").catch(() => undefined));
  expect(document.querySelectorAll("[role=dialog]")).toHaveLength(1);
  await press("Cancel");
});
