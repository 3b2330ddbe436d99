/** `npm run build`: builds the pages, unless they are built already, and compresses them once for all who ask. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";
import { builtPages, builtStamp, sourceStamp } from "./build-stamp.mjs";
import { buildSite } from "./site/build-site.ts";

const compressible = new Set([".html", ".js", ".css", ".svg", ".json", ".txt"]);

const stamp = sourceStamp();
if (builtStamp() !== stamp) await buildAs(stamp);

async function buildAs(name: string): Promise<void> {
  mkdirSync(builtPages, { recursive: true });
  if (!existsSync(join(builtPages, name))) {
    const draft = mkdtempSync(join(builtPages, "draft-"));
    // The machine that builds may not be the one that serves.
    chmodSync(draft, 0o755);
    await build({
      configFile: join(import.meta.dirname, "vite.config.ts"),
      logLevel: "warn",
      build: { outDir: draft, emptyOutDir: true },
    });
    await buildSite(draft);
    compressAll(draft);
    takePlace(draft, join(builtPages, name));
  }
  const before = builtStamp();
  const pointer = join(builtPages, `current-${process.pid}`);
  writeFileSync(pointer, `${name}\n`);
  renameSync(pointer, join(builtPages, "current"));
  removeOthers([name, before]);
}

function compressAll(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!compressible.has(extname(path))) continue;
    const file = join(folder, path);
    const bytes = readFileSync(file);
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: quality }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

/** Of two builders that finish together one finds the place taken by the same build. */
function takePlace(draft: string, place: string): void {
  try {
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}

/**
 * A running server holds its build in memory, so older ones can go. The last one stays, for a server that is reading it
 * at this moment; drafts belong to somebody who is at work.
 */
function removeOthers(kept: readonly (string | undefined)[]): void {
  const old = readdirSync(builtPages).filter((entry) => /^[0-9a-f]{20}$/.test(entry) && !kept.includes(entry));
  for (const entry of old) rmSync(join(builtPages, entry), { recursive: true, force: true });
}
