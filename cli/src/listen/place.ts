/**
 * What a listener remembers between runs, in a file for each environment that it listens to: how far it has come, and
 * the secret that it signs with.
 */
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "../connection.ts";

export interface Place {
  /** Made once: an application keeps it. */
  readonly secret: string;
  /** After the last event that was taken. Undefined before the first run. */
  readonly cursor?: string | undefined;
}

type Whose = Pick<Connection, "home" | "baseUrl" | "secretKey">;

/** By server and key: two sandboxes have two places. */
function folderOf({ home, baseUrl, secretKey }: Whose): string {
  const name = createHash("sha256").update(`${baseUrl} ${secretKey}`).digest("hex").slice(0, 16);
  return join(home, "listen", name);
}

export async function readPlace(whose: Whose): Promise<Place> {
  const file = join(folderOf(whose), "place.json");
  const written: unknown = existsSync(file) ? JSON.parse(await readFile(file, "utf8").catch(() => "{}")) : {};
  const { secret, cursor } = written as Partial<Place>;
  return { secret: secret ?? `whsec_${randomBytes(24).toString("base64")}`, cursor };
}

/** As a whole or not at all: a kill in the middle leaves what was there. */
export async function writePlace(whose: Whose, place: Place): Promise<void> {
  const folder = folderOf(whose);
  await mkdir(folder, { recursive: true });
  const file = join(folder, `place.${process.pid}`);
  await writeFile(file, JSON.stringify(place), { mode: 0o600 });
  await rename(file, join(folder, "place.json"));
}
