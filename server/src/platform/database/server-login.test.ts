import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { openServerLogin } from "./server-login.ts";

const { ownerUrl } = await createTestDatabase();
const database = new URL(ownerUrl).pathname.slice(1);
const owners: string[] = [];
// Roles outlive the database; the login of each test's owner is another one.
const dropLogin = () => query(ownerUrl, `drop role if exists jara_server_${database}`);
afterEach(dropLogin);
afterAll(async () => {
  for (const name of owners) await query(ownerUrl, `drop owned by ${name}; drop role ${name}`);
});

const query = (url: string, statement: string) => inOneSession(url, [statement]);

async function inOneSession(url: string, statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** A login that is no superuser, as a hosted database gives it. */
async function makeOwner(attributes: string): Promise<string> {
  const name = `owner_${randomBytes(4).toString("hex")}`;
  await query(ownerUrl, `create role ${name} login ${attributes} password 'secret'`);
  owners.push(name);
  if (attributes === "createrole") await query(ownerUrl, `grant jara_app, jara_lookup to ${name} with admin option`);
  const url = new URL(ownerUrl);
  url.username = name;
  url.password = "secret";
  return url.toString();
}

async function open(url: string): Promise<string> {
  const opened = await openServerLogin(url, "jara_app");
  if (opened === undefined) throw new Error("no login could be made");
  return opened;
}

const superuser = ownerUrl;
const ordinary = await makeOwner("createrole");

test.each([
  ["a superuser", superuser],
  ["an ordinary owner", ordinary],
])("the server's login cannot become its owner, %s, or anybody else", async (_, url) => {
  const serverUrl = await open(url);
  const owner = new URL(url).username;
  const forbidden = [
    `set role ${owner}`,
    "set role jara_lookup",
    `set session authorization ${owner}`,
    `alter role ${owner} password 'mine'`,
    "create role friend",
    "create table loot (a integer)",
  ];
  for (const statement of forbidden) await expect(query(serverUrl, statement)).rejects.toMatchObject({ code: "42501" });
  // What takes a connection that stepped down back to its owner leaves this one where it is.
  const backUp = "reset role; set role none; reset session authorization; set session authorization default";
  const name = new URL(serverUrl).username;
  expect(
    await inOneSession(serverUrl, [...backUp.split("; "), "select session_user::text, current_user::text"]),
  ).toEqual([{ session_user: name, current_user: name }]);
  await expect(query(serverUrl, "update accounts set balance = 1")).rejects.toMatchObject({ code: "42501" });
});

test("servers that start together arrive at the same login, and its password is not the owner's", async () => {
  const opened = await Promise.all([1, 2, 3].map(() => open(ordinary)));
  expect(new Set(opened).size).toBe(1);
  expect(new URL(opened[0] ?? "").password).not.toBe(new URL(ordinary).password);
});

test("an owner that may not make roles, or has no password, gets none", async () => {
  const poor = await makeOwner("nocreaterole");
  expect(await openServerLogin(poor, "jara_app")).toBeUndefined();
  const without = new URL(ownerUrl);
  without.password = "";
  expect(await openServerLogin(without.toString(), "jara_app")).toBeUndefined();
});
