import { expect, test } from "vitest";
import { field, hasButton, press, settle, shown, type } from "../../testing/draw.tsx";
import { replyWith } from "../../testing/replies.ts";
import { drawInConsole } from "../testing/in-console.tsx";
import { TeamPage } from "./team-page.tsx";

const ada = {
  personId: "p-1",
  email: "ada@example.com",
  name: "Ada <script>",
  role: "owner",
  since: "2026-11-16T23:30:00.000Z",
  twoFactorEnabled: false,
  you: true,
};
const team = {
  members: [ada],
  invitations: [
    { id: "i-1", email: "b@example.com", role: "viewer", expiresAt: "2026-11-24T00:00:00Z", invitedBy: null },
  ],
};
const base = "/console/api/merchants/m-1";

test("an owner invites, changes roles and removes", async () => {
  const asked = replyWith({
    [`POST ${base}/invitations`]: () => ({ email: "c@example.com", link: "https://jara.example/join?token=t" }),
    [`PATCH ${base}/team/p-1`]: () => ({}),
    [`GET ${base}/team`]: () => team,
  });
  await drawInConsole(<TeamPage />, { role: "owner" });
  expect(shown()).toContain("Ada <script> (you)");
  expect(shown()).toContain("Since 17 Nov 2026 00:30:00, without an authenticator app");
  await press("Invite");
  await type("E-mail", " c@example.com ");
  await type("Role", "finance");
  await press("Make the link");
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ email: "c@example.com", role: "finance" });
  expect(document.querySelector<HTMLInputElement>("[aria-label='The link']")?.value).toContain("/join?token=t");
  await press("Close");
  await press("Change role");
  expect(field("Role").value).toBe("owner");
  await type("Role", "viewer");
  await settle(() => document.querySelector<HTMLButtonElement>("[role=dialog] [type=submit]")?.click());
  expect(asked.find(({ method }) => method === "PATCH")?.body).toEqual({ role: "viewer" });
});

test.each(["developer", "finance", "support", "viewer", "a_role_of_tomorrow"])(
  "a %s sees the team and no button",
  async (role) => {
    replyWith({ [`GET ${base}/team`]: () => team });
    await drawInConsole(<TeamPage />, { role });
    expect(shown()).toContain("b@example.com");
    for (const name of ["Invite", "Change role", "Remove", "Withdraw"]) expect(hasButton(name)).toBe(false);
  },
);
