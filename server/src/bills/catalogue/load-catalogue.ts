/** A new version of the catalogue, as an operator hands it in: the whole of it, checked as a whole. */

import type { Tx } from "../../platform/database/database.ts";
import { commonProblem, type FieldError } from "../../platform/problem.ts";
import type { AuditDetail } from "../../platform/records/audit.ts";
import type { Bounds, CatalogueContent } from "./catalogue.ts";
import { insertCatalogue } from "./catalogue-store.ts";

export interface NewCatalogue {
  readonly source: string;
  readonly sourceDate: string;
  readonly content: CatalogueContent;
  /** Whose list it is; the operator's without one. */
  readonly connectionId?: string;
}

/** Returns the number of the version. */
export async function loadCatalogue(tx: Tx, catalogue: NewCatalogue): Promise<number> {
  const errors = findFaults(catalogue.content);
  if (errors.length > 0) throw commonProblem("validation_failed", { errors });
  return insertCatalogue(tx, catalogue);
}

export function countProducts(content: CatalogueContent): AuditDetail {
  return {
    networks: content.networks.length,
    dataPlans: content.dataPlans.length,
    electricityProviders: content.electricityProviders.length,
    tvProviders: content.tvProviders.length,
    tvPackages: content.tvPackages.length,
    bettingProviders: content.bettingProviders.length,
  };
}

/** What a schema cannot see: codes used twice, plans of nobody, bounds the wrong way round. */
function findFaults(content: CatalogueContent): FieldError[] {
  return [
    ...repeated("networks", content.networks, "code"),
    ...repeated("dataPlans", content.dataPlans, "planCode"),
    ...repeated("electricityProviders", content.electricityProviders, "code"),
    ...repeated("tvProviders", content.tvProviders, "code"),
    ...repeated("tvPackages", content.tvPackages, "packageCode"),
    ...repeated("bettingProviders", content.bettingProviders, "code"),
    ...orphans("dataPlans", content.dataPlans, "network", content.networks),
    ...orphans("tvPackages", content.tvPackages, "provider", content.tvProviders),
    ...inverted("networks", content.networks),
    ...inverted("electricityProviders", content.electricityProviders),
    ...inverted("bettingProviders", content.bettingProviders),
  ];
}

function repeated<K extends string>(list: string, items: readonly Readonly<Record<K, string>>[], key: K): FieldError[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    if (!seen.has(item[key])) {
      seen.add(item[key]);
      return [];
    }
    return [{ field: `${list}[${index}].${key}`, message: `${item[key]} stands here twice` }];
  });
}

function orphans<K extends string>(
  list: string,
  items: readonly Readonly<Record<K, string>>[],
  key: K,
  parents: readonly { readonly code: string }[],
): FieldError[] {
  const known = new Set(parents.map(({ code }) => code));
  return items.flatMap((item, index) =>
    known.has(item[key])
      ? []
      : [{ field: `${list}[${index}].${key}`, message: `${item[key]} is not in this catalogue` }],
  );
}

function inverted(list: string, items: readonly Bounds[]): FieldError[] {
  return items.flatMap(({ minAmount, maxAmount }, index) =>
    minAmount <= maxAmount ? [] : [{ field: `${list}[${index}].maxAmount`, message: "must not be below minAmount" }],
  );
}
