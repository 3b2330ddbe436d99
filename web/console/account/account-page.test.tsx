/** A person's own page: what is kept of them, and what they can change about it. */
import { afterEach, expect, test, vi } from "vitest";
import { button, field, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { type Asked, refuse, replyWith } from "../../testing/replies.ts";
import type { Me } from "../api/me.ts";
import { ada, drawInConsole } from "../testing/in-console.tsx";
import { AccountPage } from "./account-page.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const people = "/console/api";
const session = {
  id: "s-1",
  address: "41.58.0.1" as string | null,
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" as string | null,
  signedInAt: "2026-11-16T23:30:00.000Z",
  expiresAt: "2026-12-16T23:30:00.000Z",
  current: true,
};
const passkey = { id: "k-1", name: "My <b>phone</b>", createdAt: "2026-11-16T18:45:31.284Z", lastUsedAt: null };

interface Given {
  readonly user?: Partial<Me["user"]>;
  readonly passkeys?: readonly object[];
  readonly sessions?: readonly object[];
  readonly replies?: Readonly<Record<string, (asked: Asked) => unknown>>;
}

async function open({ user = {}, passkeys = [], sessions = [session], replies = {} }: Given = {}) {
  const me: Me = { ...ada, user: { ...ada.user, ...user } };
  const asked = replyWith({
    [`GET ${people}/me`]: () => me,
    [`GET ${people}/passkeys`]: () => passkeys,
    [`GET ${people}/sessions`]: () => sessions,
    ...replies,
  });
  await drawInConsole(<AccountPage />, { me });
  return () =>
    asked
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => [method, path.slice(people.length), body]);
}
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());

test("a name is saved trimmed, and the page says so until it is changed again", async () => {
  const sent = await open({ replies: { [`PATCH ${people}/me`]: () => ({}) } });
  await type("As colleagues see it", "  Ada N. Obi ");
  await press("Save");
  await expect.poll(shown).toContain("Saved.");
  expect(sent()).toEqual([["PATCH", "/me", { name: "Ada N. Obi" }]]);
  await type("As colleagues see it", "Ada");
  expect(shown()).not.toContain("Saved.");
});

test("a name that is refused says why, and nothing is said to be saved", async () => {
  await open({ replies: { [`PATCH ${people}/me`]: () => refuse(422, "bad_name", { message: "Too long a name." }) } });
  await press("Save");
  await expect.poll(shown).toContain("Too long a name.");
  expect(shown()).not.toContain("Saved.");
});

test("who came by a link chooses a password, and is not asked for one until now", async () => {
  const sent = await open({ replies: { [`POST ${people}/password`]: () => ({}) } });
  expect(shown()).toContain("You have none yet: you came by a link.");
  await press("Choose a password");
  await type("New password", " four words are good ");
  await submit();
  await expect.poll(sent).toEqual([["POST", "/password", { newPassword: " four words are good " }]]);
});

test("who has a password gives it to change it, exactly as it was typed", async () => {
  const sent = await open({ user: { hasPassword: true }, replies: { [`POST ${people}/password`]: () => ({}) } });
  await press("Change password");
  expect(field("New password").getAttribute("minlength")).toBe("12");
  await type("Current password", " old one ");
  await type("New password", "four words are good");
  await submit();
  await expect
    .poll(sent)
    .toEqual([["POST", "/password", { password: " old one ", newPassword: "four words are good" }]]);
});

test("a wrong password keeps the window open", async () => {
  await open({
    user: { hasPassword: true },
    replies: { [`POST ${people}/password`]: () => refuse(401, "password_wrong", { message: "That is not it." }) },
  });
  await press("Change password");
  await type("Current password", "guess");
  await type("New password", "four words are good");
  await submit();
  await expect.poll(shown).toContain("That is not it.");
});

test("each session says which device, from where and since when; only others can be ended", async () => {
  const other = { ...session, id: "s-2", current: false, address: null, userAgent: null };
  const sent = await open({
    sessions: [session, other],
    replies: { [`DELETE ${people}/sessions/s-2`]: () => ({}) },
  });
  expect(shown()).toContain("Firefox on Linux41.58.0.1, since 17 Nov 2026 00:30:00This one");
  expect(shown()).toContain("An unknown deviceunknown address");
  await press("End");
  expect(shown()).toContain("An unknown device is signed out at once.");
  await submit();
  await expect.poll(sent).toEqual([["DELETE", "/sessions/s-2", undefined]]);
});

test("all other sessions end at once", async () => {
  const sent = await open({ replies: { [`DELETE ${people}/sessions`]: () => ({}) } });
  await press("Sign out everywhere else");
  await press("Sign out elsewhere");
  await expect.poll(sent).toEqual([["DELETE", "/sessions", undefined]]);
});

test("a browser without passkeys offers none, and says what they are", async () => {
  vi.stubGlobal("PublicKeyCredential", undefined);
  await open();
  expect(hasButton("Add a passkey")).toBe(false);
  expect(shown()).toContain("nothing that a false page could steal");
});

test("a passkey's name is text, and it can be removed", async () => {
  const sent = await open({ passkeys: [passkey], replies: { [`DELETE ${people}/passkeys/k-1`]: () => ({}) } });
  expect(shown()).toContain("My <b>phone</b>");
  expect(shown()).toContain("not used yet");
  await press("Remove");
  await submit();
  await expect.poll(sent).toEqual([["DELETE", "/passkeys/k-1", undefined]]);
});

test("a device that has a passkey already says so, and the window stays", async () => {
  vi.stubGlobal("PublicKeyCredential", () => undefined);
  await open({ replies: { [`POST ${people}/passkeys/begin`]: () => refuse(409, "has_one", { message: "Enough." }) } });
  await press("Add a passkey");
  expect(field("Name").value).not.toBe("");
  await press("Go on");
  await expect.poll(() => document.querySelector("[role=dialog] [role=alert]")?.textContent).toBe("Enough.");
  expect(button("Go on")).toHaveProperty("disabled", false);
});

test.each([
  [0, "0 recovery codes are left."],
  [1, "1 recovery code is left."],
  [8, "8 recovery codes are left."],
])("with %i codes on paper the panel says: %s", async (recoveryCodesLeft, words) => {
  await open({ user: { twoFactorEnabled: true, recoveryCodesLeft } });
  expect(shown()).toContain(words);
});

const app = {
  [`POST ${people}/authenticator`]: () => ({ secret: "ABCDEFGHIJ", address: "otpauth://totp/Jara?secret=ABCDEFGHIJ" }),
};

test("an app is set up by its secret and a code, and the codes on paper are shown once", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const sent = await open({
    replies: { ...app, [`POST ${people}/authenticator/confirm`]: () => ({ recoveryCodes: ["aaaa-1", "bbbb-2"] }) },
  });
  await press("Set up");
  await expect.poll(shown).toContain("ABCD EFGH IJ");
  await type("The code that the app shows now", "123 456");
  await press("Turn on");
  await expect.poll(shown).toContain("aaaa-1");
  await press("Copy all");
  expect(written).toHaveBeenCalledWith("aaaa-1\nbbbb-2");
  expect(sent()).toEqual([
    ["POST", "/authenticator", undefined],
    ["POST", "/authenticator/confirm", { code: "123456" }],
  ]);
  await press("I have kept them");
  expect(document.body.innerHTML).not.toContain("aaaa-1");
});

test("a wrong code keeps the secret that is in the app: a new one would be another", async () => {
  const sent = await open({
    replies: {
      ...app,
      [`POST ${people}/authenticator/confirm`]: () => refuse(422, "code_wrong", { message: "Not that code." }),
    },
  });
  await press("Set up");
  await expect.poll(shown).toContain("ABCD EFGH IJ");
  await type("The code that the app shows now", "000000");
  await press("Turn on");
  await expect.poll(shown).toContain("Not that code.");
  expect(shown()).toContain("ABCD EFGH IJ");
  expect(sent().filter(([, path]) => path === "/authenticator")).toHaveLength(1);
});

test("who has an app turns it off, or gets new codes, and is told what ends", async () => {
  const sent = await open({
    user: { twoFactorEnabled: true, recoveryCodesLeft: 2 },
    replies: {
      [`POST ${people}/recovery-codes`]: () => ({ recoveryCodes: ["cccc-3"] }),
      [`DELETE ${people}/authenticator`]: () => ({}),
    },
  });
  await press("New recovery codes");
  await submit();
  await expect.poll(shown).toContain("cccc-3");
  await press("Close");
  await press("Turn off");
  expect(shown()).toContain("Your other sessions end.");
  await submit();
  await expect
    .poll(() => sent().map(([method, path]) => `${method} ${path}`))
    .toEqual(["POST /recovery-codes", "DELETE /authenticator"]);
});
