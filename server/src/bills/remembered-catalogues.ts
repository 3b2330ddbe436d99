/** Catalogues at hand: the newest is read once in a while, older versions never change. */
import type { Database } from "../platform/database/database.ts";
import { rememberEach, rememberFor } from "../platform/remember.ts";
import type { Catalogue } from "./catalogue.ts";
import { readCatalogue } from "./catalogue-store.ts";

export interface RememberedCatalogues {
  current(): Promise<Catalogue>;
  version(version: number): Promise<Catalogue>;
  /** This process sees a new version at once, others when what they remember is too old. */
  forget(): void;
}

const newestForMs = 5_000;
const oldForMs = 3_600_000;

export function rememberCatalogues(db: Database): RememberedCatalogues {
  const readNewest = () => rememberFor(newestForMs, () => readCatalogue(db, null));
  const readOld = rememberEach(oldForMs, (version) => readCatalogue(db, Number(version)));
  let current = readNewest();
  return {
    current: () => current(),
    version: (version) => readOld(String(version)),
    forget() {
      current = readNewest();
    },
  };
}
