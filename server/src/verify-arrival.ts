/** Verifies the books of an environment at the place where it has just arrived, before anybody is let in. */
import type { CellAddresses } from "./cells/move-environment.ts";
import { createDatabase, createPool } from "./platform/database/database.ts";
import { house } from "./slices.ts";
import { verifyEnvironment } from "./verification/verify-books.ts";

export async function verifyArrival(cells: CellAddresses, cell: string, environmentId: string): Promise<string[]> {
  const url = new URL(cells.get(cell) ?? "");
  // As the server would see it, and through the closed door.
  url.searchParams.set("options", "-c role=jara_app -c jara.mover=on");
  const db = createDatabase(createPool({ url: url.toString(), poolSize: 1 }));
  try {
    const found = await verifyEnvironment(db, environmentId, house.checks);
    return found.map(({ check, subject, expected, found: seen }) => `${check} ${subject}: ${expected}, found ${seen}`);
  } finally {
    await db.destroy();
  }
}
