/** A person in the console, signed in by the link that the server gave. It works once; its session serves a file. */
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { World } from "./in-browser.ts";
import { callerOf } from "./product.ts";
import type { Visitor } from "./visitor.ts";

type Entering = Pick<World, "baseUrl" | "tokens" | "merchant">;
type Visiting = Entering & Pick<World, "visit">;

interface Session {
  readonly cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;
  readonly environmentId: string;
}

export interface ConsolePerson extends Visitor {
  /** Opens a page of the sandbox. */
  open(path: string): Promise<void>;
  openOperator(path: string): Promise<void>;
}

/** By the merchant's id. */
const sessions = new Map<string, Session>();

export async function enterConsole(world: Visiting, options: BrowserContextOptions = {}): Promise<ConsolePerson> {
  return letIn(await world.visit(options), world);
}

/** The same page of the same person as in the tests before. */
export async function returnToConsole(world: Pick<World, "visitAgain"> & Entering): Promise<ConsolePerson> {
  return letIn(await world.visitAgain(), world);
}

async function letIn(visitor: Visitor, world: Entering): Promise<ConsolePerson> {
  const { baseUrl } = world;
  const { id, signInLink } = await world.merchant();
  const known = sessions.get(id);
  const session = known ?? (await signIn(visitor, signInLink));
  if (known === undefined) sessions.set(id, session);
  else await visitor.page.context().addCookies(session.cookies);
  return {
    ...visitor,
    open: async (path) => {
      await visitor.page.goto(`${baseUrl}/console/e/${session.environmentId}${path}`);
    },
    openOperator: async (path) => {
      await visitor.page.goto(`${baseUrl}/console/operator${path}`);
    },
  };
}

/** A record's page shows four steps of its trace; the postings are among the others. */
export async function unfoldTrace(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Show (all \d+ steps|details)$/ }).click();
}

async function signIn({ page }: Visitor, link: string): Promise<Session> {
  await page.goto(link);
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  const [, environmentId = ""] = /\/e\/([^/]+)/.exec(page.url()) ?? [];
  return { cookies: await page.context().cookies(), environmentId };
}

/** Gives the merchant an environment in which money would be real; returns its id. */
export async function openLive({ baseUrl, tokens, merchant }: Entering): Promise<string> {
  const operator = callerOf(baseUrl, tokens.operator);
  const path = `/operator/merchants/${(await merchant()).id}/environments`;
  return String((await operator("POST", path, { kind: "LIVE", name: "Live" }))["id"]);
}

/** The environment of the person's merchant in which money would be real. */
export async function liveOf(page: Page): Promise<string> {
  const { data } = await page.evaluate(async () => (await fetch("/console/api/me")).json());
  const environments: { id: string; kind: string }[] = data.merchants.flatMap(
    (one: { environments: object[] }) => one.environments,
  );
  return environments.find(({ kind }) => kind === "LIVE")?.id ?? "";
}
