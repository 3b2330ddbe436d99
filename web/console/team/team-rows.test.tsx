/** The team's page where things go wrong, and what each row offers. */
import { afterEach, expect, test, vi } from "vitest";
import { button, press, settle, shown, type } from "../../testing/draw.tsx";
import { held, refuse, replyWith } from "../../testing/replies.ts";
import { drawInConsole } from "../testing/in-console.tsx";
import { roles } from "./roles.ts";
import { TeamPage } from "./team-page.tsx";

afterEach(() => vi.restoreAllMocks());

const base = "/console/api/merchants/m-1";
const bola = {
  personId: "p-2",
  email: "bola@example.com",
  name: "Bola",
  role: "finance",
  since: "2026-11-16T18:45:31.284Z",
  twoFactorEnabled: true,
  you: false,
};
const invitation = {
  id: "i-1",
  email: "chi@example.com",
  role: "viewer",
  expiresAt: "2026-11-23T23:30:00.000Z",
  invitedBy: "Ada" as string | null,
};
const submit = () => settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());

async function open(team: object, replies: object = {}) {
  const asked = replyWith({ [`GET ${base}/team`]: () => team, ...replies });
  await drawInConsole(<TeamPage />);
  return () =>
    asked
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => [method, path.slice(base.length), body]);
}

test("each role says what it may do where it is chosen", async () => {
  await open({ members: [bola], invitations: [] });
  await press("Invite");
  const options = [...document.querySelectorAll("[role=dialog] option")].map((option) => option.textContent);
  expect(options).toHaveLength(Object.keys(roles).length);
  expect(options).toContain("Finance: payouts, bills, wallets, loans");
  expect(options).toContain("Viewer: nothing");
});

test("an invitation says until when it is good and by whom; without any there is no such panel", async () => {
  await open({ members: [bola], invitations: [invitation, { ...invitation, id: "i-2", invitedBy: null }] });
  expect(shown()).toContain("Until 24 Nov 2026 00:30:00, by Ada");
  await open({ members: [bola], invitations: [] });
  expect(shown().match(/Invited/g)).toHaveLength(1);
});

test("an invitation is withdrawn", async () => {
  const sent = await open(
    { members: [], invitations: [invitation] },
    { [`DELETE ${base}/invitations/i-1`]: () => ({}) },
  );
  await press("Withdraw");
  await submit();
  await expect.poll(sent).toEqual([["DELETE", "/invitations/i-1", undefined]]);
});

test("a person is put out, and is named before", async () => {
  const sent = await open({ members: [bola], invitations: [] }, { [`DELETE ${base}/team/p-2`]: () => ({}) });
  await press("Remove");
  expect(shown()).toContain("Bola is put out at once, and links that they made end.");
  await submit();
  await expect.poll(sent).toEqual([["DELETE", "/team/p-2", undefined]]);
});

test("somebody who is in the team already cannot be invited: the window says so", async () => {
  await open(
    { members: [bola], invitations: [] },
    { [`POST ${base}/invitations`]: () => refuse(409, "already_member", { message: "They are in the team." }) },
  );
  await press("Invite");
  await type("E-mail", "bola@example.com");
  await press("Make the link");
  await expect.poll(shown).toContain("They are in the team.");
});

test("the link can be copied, and is gone once the window is closed", async () => {
  const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const link = "https://jara.example/console/join?token=secret";
  await open({ members: [bola], invitations: [] }, { [`POST ${base}/invitations`]: () => ({ ...invitation, link }) });
  await press("Invite");
  await type("E-mail", "chi@example.com");
  await press("Make the link");
  await press("Copy the link");
  expect(written).toHaveBeenCalledWith(link);
  await press("Close");
  expect(document.body.innerHTML).not.toContain("token=secret");
});

test("a team that is on its way, or cannot be read, is not empty", async () => {
  const { reply, give } = held();
  await open(reply as unknown as object);
  expect(shown()).toContain("Loading");
  await settle(() => give(refuse(503, "unavailable", { message: "Briefly away." })));
  await expect.poll(shown).toContain("Briefly away.");
  expect(button("Try again")).toBeDefined();
});
