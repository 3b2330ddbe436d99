/**
 * `npm run generate` writes every generated file; `npm run generate -- --check` only compares, names the first line of
 * each that differs, and fails.
 */
import { join } from "node:path";
import { startingPolicy } from "../../server/src/checkout/credit/policy.ts";

import { withExamples } from "../../server/src/platform/records/event-catalogue.ts";
import { house } from "../../server/src/start/slices.ts";
import { creditPolicyDocument } from "./credit-policy-document.ts";
import { databaseTypes } from "./database-types.ts";
import { errorsDocument } from "./errors-document.ts";
import { type EventExamples, eventExamplesModule, playEventExamples } from "./event-examples.ts";
import { eventsDocument } from "./events-document.ts";
import { openApiJson } from "./openapi-document.ts";
import { findDifference, type Product, writeProduct } from "./product.ts";
import { schemaSql } from "./schema-sql.ts";
import { sdkTypes } from "./sdk/api-types.ts";
import { withMigratedDatabase } from "./throw-away-database.ts";

const root = join(import.meta.dirname, "..", "..");

/** The database is played in after its schema was read. */
let examples: EventExamples = {};
const events = () => withExamples(house.events, examples);

const integrators = (ownerUrl: string) => openApiJson(ownerUrl, events(), "integrators");

const products: readonly Product[] = [
  { path: "server/schema.sql", make: schemaSql },
  { path: "server/src/platform/database/database-types.gen.ts", make: databaseTypes },
  {
    path: "server/src/start/event-examples.gen.ts",
    make: async (ownerUrl) => {
      examples = await playEventExamples(ownerUrl);
      return eventExamplesModule(examples);
    },
  },
  { path: "docs/credit-policy.md", make: () => creditPolicyDocument(startingPolicy) },
  { path: "docs/errors.md", make: () => errorsDocument(house.problems) },
  { path: "docs/events.md", make: () => eventsDocument(events()) },
  { path: "docs/openapi.json", make: integrators },
  { path: "sdk/src/api.gen.ts", make: async (ownerUrl) => sdkTypes(await integrators(ownerUrl)) },
  { path: "docs/openapi.operator.json", make: (ownerUrl) => openApiJson(ownerUrl, events(), "operators") },
];

const onlyCheck = process.argv.includes("--check");
const differences = await withMigratedDatabase(async (ownerUrl) => {
  const found: string[] = [];
  for (const product of products) {
    const text = await product.make(ownerUrl);
    const difference = await findDifference(root, product.path, text);
    if (difference === undefined) continue;
    found.push(difference);
    if (!onlyCheck) await writeProduct(root, product.path, text);
  }
  return found;
});

for (const difference of differences) console.log(onlyCheck ? difference : `written: ${difference.split(":", 1)[0]}`);
console.log(`Generated files: ${products.length}, ${differences.length} ${onlyCheck ? "out of date" : "changed"}.`);
if (onlyCheck && differences.length > 0) {
  console.error("Run npm run generate and commit what it writes.");
  process.exitCode = 1;
}
