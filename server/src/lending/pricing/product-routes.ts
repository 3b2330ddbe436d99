/** How an operator reads and publishes the terms of an environment's loans. */
import { Type } from "typebox";
import { findEnvironment } from "../../merchants/find-environment.ts";
import { type Tx, visitEnvironment } from "../../platform/database/database.ts";
import { describeRoute, type Route, repeated } from "../../platform/http/route.ts";
import { IdParams } from "../../platform/http/wire.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";
import { publishingProblems, versionAt } from "../../platform/records/dated-version.ts";
import { presentProduct, productBody, productData, readTerms } from "./product-schemas.ts";
import { readProducts } from "./product-store.ts";
import { findProduct } from "./products.ts";
import { type ProductUse, publishTerms } from "./publish-product.ts";

const common = { path: "/operator/environments/{id}/loan-products", tag: "Operator", params: IdParams } as const;

export function productRoutes(use: ProductUse): Route[] {
  return [listRoute(), publishRoute(use)];
}

function listRoute(): Route {
  return describeRoute("operator", {
    ...common,
    method: "GET",
    operationId: "listLoanProducts",
    summary: "List the terms of loans",
    description:
      "Every version of every product of an environment, the latest date first. `inForce` marks those of now.",
    reply: { status: 200, message: "Loan products retrieved.", data: Type.Array(productData) },
    problems: ["environment_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const { id } = await findEnvironment(tx, params.id);
        return { data: await visitEnvironment(tx, id, presentAll) };
      }),
  });
}

async function presentAll(tx: Tx) {
  const [all, now] = [await readProducts(tx), tx.environment.clock.now()];
  const inForce = all.map(({ code }) =>
    versionAt(
      all.filter((each) => each.code === code),
      now,
    ),
  );
  return all.map((product) => presentProduct(product, inForce.includes(product)));
}

function publishRoute({ productInUseFaults }: ProductUse): Route {
  return describeRoute("operator", {
    ...common,
    method: "POST",
    operationId: "publishLoanProduct",
    summary: "Publish terms of loans",
    description:
      "Stores the next version of a product, checked as a whole. New loans are made with it from its date on; loans made before keep their version and price. To take a planned version back, publish another one for the same date. Recorded in the audit trail. The same version and content again return 200.",
    body: productBody,
    reply: {
      status: 201,
      message: "Loan product published.",
      data: productData,
      also: { 200: "It was published before" },
    },
    problems: ["environment_not_found", ...publishingProblems],
    handle: (request) =>
      request.write(async (tx) => {
        const { version, reason, confirmLargeChanges: confirmed = false } = request.body;
        const { id: environmentId } = await findEnvironment(tx, request.params.id);
        const command = { version, terms: readTerms(request.body), confirmed, productInUseFaults };
        const publish = async (inside: Tx) => {
          const done = await publishTerms(inside, command);
          const { version: current } = await findProduct(inside, command.terms.code);
          return { ...done, inForce: current === version };
        };
        const { published, replayed, inForce } = await visitEnvironment(tx, environmentId, publish);
        const data = presentProduct(published, inForce);
        if (replayed) return { data, ...repeated };
        await recordAudit(tx, originOf(request), {
          action: "loan_product.publish",
          subjectType: "loan_product",
          subjectId: published.id,
          environmentId,
          detail: { code: published.code, version, effectiveFrom: data.effectiveFrom, reason, confirmed },
        });
        return { data };
      }),
  });
}
