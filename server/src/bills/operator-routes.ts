/** What only an operator may do: read and end bills of any environment, and keep catalogue and rates. */

import type { Database } from "../platform/database/database.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { originOf, recordAudit } from "../platform/records/audit.ts";
import { readCatalogue } from "./catalogue/catalogue-store.ts";
import { countProducts, loadCatalogue } from "./catalogue/load-catalogue.ts";
import type { RememberedCatalogues } from "./catalogue/remembered-catalogues.ts";
import { catalogueBody, catalogueData, presentCatalogue, readContent } from "./catalogue-schemas.ts";
import { rateRoutes } from "./rate/rate-routes.ts";
import { type BillViewDependencies, billResolveRoute, billViewRoute } from "./vending/steer-routes.ts";

export function billOperatorRoutes(deps: CatalogueRouteDependencies & BillViewDependencies): Route[] {
  return [billViewRoute(deps), billResolveRoute(), ...catalogueRoutes(deps), ...rateRoutes()];
}

/** How an operator keeps the catalogue up to date, without a release. */
const common = { path: "/operator/bills/catalogues", tag: "Operator" } as const;

interface CatalogueRouteDependencies {
  readonly db: Database;
  readonly catalogues: RememberedCatalogues;
}

function catalogueRoutes({ db, catalogues }: CatalogueRouteDependencies): Route[] {
  return [currentRoute(db), loadRoute(catalogues)];
}

function currentRoute(db: Database): Route {
  return describeRoute("operator", {
    ...common,
    method: "GET",
    operationId: "getBillCatalogue",
    summary: "Read the catalogue of bills",
    description: "The whole current version. Edit it and send it back as the next version.",
    reply: { status: 200, message: "Catalogue retrieved.", data: catalogueData },
    handle: async () => ({ data: presentCatalogue(await readCatalogue(db, null)) }),
  });
}

function loadRoute(catalogues: RememberedCatalogues): Route {
  return describeRoute("operator", {
    ...common,
    method: "POST",
    operationId: "replaceBillCatalogue",
    summary: "Load a catalogue of bills",
    description:
      "Stores the whole catalogue as its next version, which applies to every environment within seconds. Earlier versions are kept, and every bill names the one that priced it.",
    body: catalogueBody,
    reply: { status: 201, message: "Catalogue loaded.", data: catalogueData },
    handle: async (request) => {
      const { source, sourceDate } = request.body;
      const content = readContent(request.body);
      const written = await request.write(async (tx) => {
        const version = await loadCatalogue(tx, { source, sourceDate, content });
        await recordAudit(tx, originOf(request), {
          action: "bill_catalogue.load",
          subjectType: "bill_catalogue",
          subjectId: String(version),
          detail: { source, sourceDate, ...countProducts(content) },
        });
        return { data: presentCatalogue({ version, source, sourceDate, ...content }) };
      });
      catalogues.forget();
      return written;
    },
  });
}
