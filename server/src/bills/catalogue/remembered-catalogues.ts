/** Catalogues at hand: the newest are read once in a while, older versions never change. */
import type { Database } from "../../platform/database/database.ts";
import { rememberEach, rememberFor } from "../../platform/remember.ts";
import type { BillCategory } from "../../rails/biller.ts";
import type { BillerRails, RailUser } from "../../rails/desk.ts";
import type { Catalogue } from "./catalogue.ts";
import { readCatalogue, readConnectionCatalogue } from "./catalogue-store.ts";

export interface RememberedCatalogues {
  /** What can be bought now by whom: what its connection sells, or the operator's catalogue where it has none. */
  current(user: RailUser, category: BillCategory): Promise<Catalogue>;
  version(version: number): Promise<Catalogue>;
  /** This process sees a new version at once, others when what they remember is too old. */
  forget(): void;
}

const newestForMs = 5_000;
const oldForMs = 3_600_000;

export function rememberCatalogues(db: Database, rails: BillerRails): RememberedCatalogues {
  const readNewest = () => rememberFor(newestForMs, () => readCatalogue(db, null));
  const readOld = rememberEach(oldForMs, (version) => readCatalogue(db, Number(version)));
  const readOfConnection = rememberEach(newestForMs, (id) => readConnectionCatalogue(db, id));
  let current = readNewest();
  return {
    async current(user, category) {
      const found = await rails.biller.find(user, category);
      const connectionId = typeof found === "string" ? null : found.connectionId;
      if (connectionId === null) return current();
      return (await readOfConnection(connectionId)) ?? withoutProducts(await current());
    },
    version: (version) => readOld(String(version)),
    forget() {
      current = readNewest();
    },
  };
}

/** Until a provider's lists have been read nobody knows what its plans and packages are called. */
function withoutProducts(catalogue: Catalogue): Catalogue {
  return { ...catalogue, dataPlans: [], tvPackages: [] };
}
