/**
 * Keeps the lists of live bills up to date: reads what each connection sells and stores it as a version of the
 * catalogue when it has changed. Several workers may do so at once: the second finds nothing new.
 */
import { type Database, inEnvironment, operatorScope, timeIn } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import type { Connected, ProductList } from "../../rails/provider.ts";
import {
  type Bounds,
  type Catalogue,
  type CatalogueContent,
  contentOf,
  type DataPlan,
  type TvPackage,
} from "./catalogue.ts";
import { readCatalogue, readConnectionCatalogue } from "./catalogue-store.ts";
import { countProducts, loadCatalogue } from "./load-catalogue.ts";

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

export interface CatalogueSync {
  /** Reads the lists that are due. Prices change at any hour, so each is read every hour. */
  readDue(at?: Date): Promise<void>;
  /**
   * A biller says that its lists have changed. Anybody can send such a webhook where the biller does not sign, so the
   * next reading is put forward and the biller is not asked more often than after a failed one.
   */
  readSoon(connectionId: string): void;
}

export function createCatalogueSync(deps: SyncDependencies): CatalogueSync {
  const readAt = new Map<string, number>();
  const dueAt = new Map<string, number>();
  return {
    readSoon: (id) => {
      const soonest = (readAt.get(id) ?? 0) + tryAgainAfterMs;
      dueAt.set(id, Math.min(dueAt.get(id) ?? 0, soonest));
    },
    readDue: async (at) => {
      const now = at ?? (await timeIn(deps.db, operatorScope));
      for (const connection of await deps.connections.list()) {
        const { id, state } = connection;
        if (state === "retired" || now.getTime() < (dueAt.get(id) ?? 0)) continue;
        const found = await deps.connections.find(id);
        readAt.set(id, now.getTime());
        const products = await found?.connected.readProducts?.();
        dueAt.set(id, now.getTime() + (products === null ? tryAgainAfterMs : readAgainAfterMs));
        if (products === null) deps.log.warn({ connectionId: id }, "a biller's lists could not be read");
        else if (products !== undefined) await storeProducts(deps, connection, products, now);
      }
    },
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

/**
 * What a connection sells, in the form of a catalogue. Plans, packages and bounds are the provider's; names of networks
 * and companies, prefixes and digits of cards, which providers do not tell, are the operator's.
 */
export function mergeProducts(base: CatalogueContent, list: ProductList): CatalogueContent {
  const boundsOf = new Map(list.bounds.map(({ category, provider, ...bounds }) => [`${category}/${provider}`, bounds]));
  const bounded = <One extends Bounds & { readonly code: string }>(category: string, one: One): One => ({
    ...one,
    ...boundsOf.get(`${category}/${one.code}`),
  });
  return {
    networks: base.networks.map((one) => bounded("airtime", one)),
    dataPlans: dataPlans(base, list),
    electricityProviders: base.electricityProviders.map((one) => bounded("electricity", one)),
    tvProviders: base.tvProviders,
    tvPackages: tvPackages(base, list),
    bettingProviders: base.bettingProviders,
  };
}

/** A plan whose name does not tell its size has its name for a size. */
function dataPlans({ networks }: CatalogueContent, { products }: ProductList): DataPlan[] {
  const known = new Set(networks.map(({ code }) => code));
  const plans = products
    .filter(({ category, provider }) => category === "data" && known.has(provider))
    .map(({ code: planCode, provider: network, name, size, validityDays, amount }) => ({
      planCode,
      network,
      name,
      size: size ?? name,
      validityDays,
      amount,
    }));
  return firstOfEach(plans, ({ planCode }) => planCode);
}

function tvPackages({ tvProviders }: CatalogueContent, { products }: ProductList): TvPackage[] {
  const known = new Set(tvProviders.map(({ code }) => code));
  const packages = products
    .filter(({ category, provider }) => category === "tv" && known.has(provider))
    .map(({ code: packageCode, provider, name, amount, months }) => ({
      provider,
      packageCode,
      name,
      amount,
      months: months ?? 1,
    }));
  return firstOfEach(packages, ({ packageCode }) => packageCode);
}

/** A code stands for one thing. */
function firstOfEach<One>(list: readonly One[], codeOf: (one: One) => string): One[] {
  const seen = new Set<string>();
  return list.filter((one) => !seen.has(codeOf(one)) && seen.add(codeOf(one)));
}
