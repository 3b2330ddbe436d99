/** Holds what servers in processes of their own have returned against the OpenAPI document, as other tests' replies. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import type { Route } from "../../server/src/platform/http/route.ts";
import { appRoutes } from "../../server/src/start/app.ts";
import { standardBook } from "../../server/testing/document/declared-replies.ts";
import type { SentReply } from "../../server/testing/document/reply-book.ts";
import { withAppParts } from "../../tools/generate/assembled-app.ts";

let routes: Promise<readonly Route[]> | undefined;

/** The routes are only described; the database behind them is never asked, so there need be none. */
function describedRoutes(): Promise<readonly Route[]> {
  routes ??= withAppParts("postgres://nobody@127.0.0.1:1/nothing", async (parts) => appRoutes(parts));
  return routes;
}

export async function refuseUndeclared(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const replies = readFileSync(file, "utf8").split("\n").filter(Boolean);
  rmSync(file);
  const described = await describedRoutes();
  const book = standardBook(() => described);
  const faults = new Set(replies.flatMap((line) => book.faultsOf(JSON.parse(line) as SentReply)));
  if (faults.size > 0) throw new Error([...faults].join("\n\n"));
}
