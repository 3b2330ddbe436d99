/** Those who run the service: who may let people in, and what is handed over. */
import { afterEach, expect, test, vi } from "vitest";
import { field, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { refuse, replyWith } from "../../testing/replies.ts";
import { drawInConsole, operatorPath } from "../testing/in-console.tsx";
import { OperatorPeoplePage } from "./people-page.tsx";

afterEach(() => vi.restoreAllMocks());

const ada = {
  id: "u-1",
  email: "ada@example.com",
  name: "Ada <i>Obi</i>",
  operatorRole: "admin",
  twoFactorEnabled: true,
  since: "2026-11-16T23:30:00.000Z",
  lastSeenAt: "2026-11-17T08:00:00.000Z" as string | null,
};
const bola = { ...ada, id: "u-2", email: "bola@example.com", name: "Bola", operatorRole: "support", lastSeenAt: null };

async function open(people: readonly object[], operatorRole = "admin", replies = {}) {
  const asked = replyWith({ [`GET ${operatorPath}/people`]: () => people, ...replies });
  await drawInConsole(<OperatorPeoplePage />, { house: "operator", operatorRole });
  return () => asked.filter(({ method }) => method !== "GET");
}
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());

test("each person's line says who it is, and how well the door is locked", async () => {
  await open([ada, { ...bola, twoFactorEnabled: false }]);
  const [first, second] = [...document.querySelectorAll("li")].map((row) => row.textContent ?? "");
  expect(first).toContain("Ada <i>Obi</i> (you)");
  expect(first).toContain("Since 17 Nov 2026 00:30:00, signed in, with an authenticator app");
  expect(second).toContain("not signed in, without an authenticator app");
  expect(second).not.toContain("(you)");
});

test.each(["support", "reconciliation"])("a person of the role %s sees the people and no button", async (role) => {
  await open([bola], role);
  expect(shown()).toContain("bola@example.com");
  expect(["Invite operator", "Change role", "Remove"].filter(hasButton)).toEqual([]);
});

test("an admin lets somebody in, and gets a link to hand over once", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const link = "https://jara.example/console/sign-in?token=t";
  const sent = await open([ada], "admin", {
    [`POST ${operatorPath}/people`]: () => ({ email: "chi@example.com", signInLink: link }),
  });
  await press("Invite operator");
  expect(field("Role").value).toBe("support");
  await type("Name", " Chi ");
  await type("E-mail", "chi@example.com");
  await type("Role", "reconciliation");
  await press("Make the link");
  await expect.poll(shown).toContain("Send this link to chi@example.com and to nobody else");
  expect(sent()[0]?.body).toEqual({ name: "Chi", email: "chi@example.com", operatorRole: "reconciliation" });
  await press("Copy the link");
  expect(written).toHaveBeenCalledWith(link);
});

test("a role is changed from what it is, and a person is removed", async () => {
  const sent = await open([bola], "admin", {
    [`PATCH ${operatorPath}/people/u-2`]: () => ({}),
    [`DELETE ${operatorPath}/people/u-2`]: () => ({}),
  });
  await press("Change role");
  expect(field("Role").value).toBe("support");
  await type("Role", "admin");
  await submit();
  await expect.poll(sent).toHaveLength(1);
  await press("Remove");
  expect(shown()).toContain("Bola is signed out everywhere, at once.");
  await submit();
  await expect.poll(sent).toHaveLength(2);
  expect(sent().map(({ method, body }) => [method, body])).toEqual([
    ["PATCH", { operatorRole: "admin" }],
    ["DELETE", undefined],
  ]);
});

test("the last admin cannot go: the server says so in the window", async () => {
  await open([ada], "admin", {
    [`DELETE ${operatorPath}/people/u-1`]: () => refuse(409, "last_admin", { message: "Somebody has to be an admin." }),
  });
  await press("Remove");
  await submit();
  await expect.poll(shown).toContain("Somebody has to be an admin.");
});

test("a house with nobody in it says who lets the first one in", async () => {
  await open([]);
  expect(shown()).toContain("Whoever has the operator's token lets the first admin in.");
});
