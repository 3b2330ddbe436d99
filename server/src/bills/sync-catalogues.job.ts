/**
 * Keeps the lists of live bills up to date: reads what each connection sells and stores it as a version of the
 * catalogue when it has changed. Several workers may do so at once: the second finds nothing new.
 */
import { type Database, inEnvironment, operatorScope } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import { lagosDate } from "../platform/time/lagos-date.ts";
import type { Connected, ProductList } from "../rails/provider.ts";
import { type Catalogue, type CatalogueContent, contentOf } from "./catalogue.ts";
import { readCatalogue, readConnectionCatalogue } from "./catalogue-store.ts";
import { countProducts, loadCatalogue } from "./load-catalogue.ts";
import { mergeProducts } from "./merge-products.ts";

interface BillerConnection {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly state: string;
}

export interface SyncDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly connections: {
    list(): Promise<readonly BillerConnection[]>;
    find(id: string): Promise<{ readonly connected: Pick<Connected, "readProducts"> } | undefined>;
  };
}

const readAgainAfterMs = 3_600_000;
const tryAgainAfterMs = 5 * 60_000;

/** Looks which lists are due. Prices change at any hour, so they are read every hour. */
export function createCatalogueSync(deps: SyncDependencies): (now?: Date) => Promise<void> {
  const dueAt = new Map<string, number>();
  return async (now = new Date()) => {
    for (const connection of await deps.connections.list()) {
      const { id, state } = connection;
      if (state === "retired" || now.getTime() < (dueAt.get(id) ?? 0)) continue;
      const found = await deps.connections.find(id);
      const products = await found?.connected.readProducts?.();
      dueAt.set(id, now.getTime() + (products === null ? tryAgainAfterMs : readAgainAfterMs));
      if (products === null) deps.log.warn({ connectionId: id }, "a biller's lists could not be read");
      else if (products !== undefined) await storeProducts(deps, connection, products, now);
    }
  };
}

async function storeProducts(
  { db, log }: SyncDependencies,
  { id: connectionId, name, provider }: BillerConnection,
  products: ProductList,
  now: Date,
): Promise<void> {
  const version = await inEnvironment(db, operatorScope, async (tx) => {
    const content = mergeProducts(await readCatalogue(tx, null), products);
    const known = await readConnectionCatalogue(tx, connectionId);
    if (known !== undefined && isSame(known, content)) return undefined;
    const source = `${provider}, connection ${name}`.slice(0, 500);
    const number = await loadCatalogue(tx, { source, sourceDate: String(lagosDate(now)), content, connectionId });
    log.info({ connectionId, version: number, ...countProducts(content) }, "a biller's lists have changed");
    return number;
  });
  if (version !== undefined && products.leftOut.length > 0) {
    log.info({ connectionId, leftOut: products.leftOut.slice(0, 100) }, "a biller lists what cannot be sold here");
  }
}

function isSame(known: Catalogue, content: CatalogueContent): boolean {
  const text = (value: CatalogueContent) =>
    JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : sorted(inner)));
  return text(contentOf(known)) === text(content);
}

/** The database has an order of its own for the names in a record. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
