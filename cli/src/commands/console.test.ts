/** A fresh sign-in link, for those who can read the server's files and for nobody else. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { jara } from "../../testing/in-process.ts";

const link = "http://localhost:4000/console/sign-in?token=fresh";
const replies = { "POST /operator/people": () => ({ signInLink: link }) };

function homeWith(more: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "jara-console-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = { baseUrl: "http://localhost:4000", secretKey: "sk_test_x", operatorToken: "op_here" };
  writeFileSync(join(folder, "dev.json"), JSON.stringify({ ...server, ownerEmail: "demo@example.com", ...more }));
  return folder;
}
const here = (folder = homeWith()) => ({ JARA_HOME: folder, JARA_BASE_URL: "" });

test("the link is asked for with the token of the server's own file, and printed alone", async () => {
  const env = { ...here(), JARA_OPERATOR_TOKEN: "op_elsewhere" };
  const { code, out, asked } = await jara("console", { replies, env });
  expect([code, out]).toEqual([0, `${link}\n`]);
  expect(asked.map(({ headers, body }) => [headers.get("authorization"), body])).toEqual([
    ["Bearer op_here", { email: "demo@example.com", name: "Demo owner", operatorRole: "admin" }],
  ]);
  expect(JSON.parse((await jara("console --json", { replies, env: here() })).out)).toEqual({ signInLink: link });
});

test.each([
  ["an option", "console --base-url https://evil.example", {}, {}],
  ["a variable", "console", { JARA_BASE_URL: "https://evil.example" }, {}],
  ["the file itself, behind a tunnel", "console", {}, { baseUrl: "https://me.tunnel.example" }],
])("the token goes to no other machine that is named by %s", async (_, words, env, server) => {
  const { code, err, asked } = await jara(words, { replies, env: { ...here(homeWith(server)), ...env } });
  expect([code, asked]).toEqual([2, []]);
  expect(err).toContain("signs in at the server of this machine only");
});

test("without a server, and without a demo merchant, it says what to do", async () => {
  const none = await jara("console", { replies, env: { JARA_BASE_URL: "" } });
  expect([none.code, none.err]).toEqual([3, "No server of this machine is known here. Start one with npm start."]);
  const real = await jara("console", { replies, env: here(homeWith({ ownerEmail: undefined })) });
  expect([real.code, real.asked]).toEqual([5, []]);
});

test.skipIf(process.platform !== "linux")("a browser is given a file of its owner's, and never the link", async () => {
  const folder = homeWith();
  const told = join(folder, "told");
  writeFileSync(
    join(folder, "xdg-open"),
    `#!/bin/sh\nprintf '%s' "$*" > '${told}.new' && mv '${told}.new' '${told}'\n`,
    {
      mode: 0o755,
    },
  );
  const env = { ...here(folder), DISPLAY: ":9", PATH: `${folder}:${process.env["PATH"]}` };
  const { err } = await jara("console", { replies, env, columns: 80 });
  expect(err).toContain("Your browser opens it.");
  const page = join(folder, "console.html");
  await vi.waitFor(() => expect(readFileSync(told, "utf8")).toBe(page), { timeout: 10_000 });
  expect(readFileSync(page, "utf8")).toContain(link);
  expect(statSync(page).mode & 0o077).toBe(0);
  rmSync(told);
  expect((await jara("console --no-open", { replies, env, columns: 80 })).err).not.toContain("browser");
  expect((await jara("console", { replies, env: { ...env, SSH_CONNECTION: "1" }, columns: 80 })).err).not.toContain(
    "browser",
  );
});
