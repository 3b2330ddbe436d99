/**
 * `npm run build:sdk [folder]`: makes the package that is published, `sdk/dist` unless told otherwise. In this
 * repository `@jara/sdk` is its source; the package has JavaScript and declarations, and a package.json that says so.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const here = import.meta.dirname;
const root = join(here, "..");
const folder = resolve(process.argv[2] ?? join(here, "dist"));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const compiler = join(root, "node_modules", "typescript-native", "bin", "tsc");
const settings = ["-p", join(here, "tsconfig.build.json"), "--outDir", folder];
execFileSync(process.execPath, [compiler, ...settings], { stdio: "inherit" });
for (const file of filesIn(folder)) pointToJavaScript(file);
writeFileSync(join(folder, "package.json"), `${JSON.stringify(packageJson(), undefined, 2)}\n`);
cpSync(join(here, "README.md"), join(folder, "README.md"));
cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));

function filesIn(place: string): string[] {
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The compiler turns `./jara.ts` into `./jara.js` in code; declarations keep it, and older compilers stumble. */
function pointToJavaScript(file: string): void {
  if (!file.endsWith(".d.ts")) return;
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replace(
      /(from|import\() ?"(\.{1,2}\/[^"]+)\.ts"/g,
      (_, word, path) => `${word === "from" ? "from " : word}"${path}.js"`,
    ),
  );
}

function packageJson(): object {
  const { private: _, exports: __, ...rest } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  return { ...rest, exports: { ".": { types: "./index.d.ts", default: "./index.js" } } };
}
