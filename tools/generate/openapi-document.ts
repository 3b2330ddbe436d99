import type { Audience } from "../../server/src/platform/http/openapi/document.ts";
import type { EventCatalogue } from "../../server/src/platform/records/event-catalogue.ts";
import { appRoutes, openApiDocument } from "../../server/src/start/app.ts";
import { house } from "../../server/src/start/slices.ts";
import { withAppParts } from "./assembled-app.ts";
import { jsonByLines } from "./product.ts";

const baseUrl = "http://localhost:4000";

/** What a running server returns at /openapi.json or /openapi.operator.json, with the development address in it. */
export function openApiJson(ownerUrl: string, events: EventCatalogue, audience: Audience): Promise<string> {
  // The routes are only described here; the database behind them is never asked.
  return withAppParts(ownerUrl, async (parts) =>
    jsonByLines(openApiDocument(appRoutes(parts), baseUrl, audience, { ...house, events })),
  );
}
