/**
 * `npm run build:cli [folder]`: makes the package that is published, `cli/dist` unless told otherwise. In this
 * repository the command is its source; the package has JavaScript that Node 20 runs, and needs the package of the SDK.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, resolve } from "node:path";

const here = import.meta.dirname;
const folder = resolve(process.argv[2] ?? join(here, "dist"));

rmSync(folder, { recursive: true, force: true });
for (const file of globSync("**/*.ts", { cwd: join(here, "src") })) if (!file.endsWith(".test.ts")) write(file);
writeFileSync(join(folder, "jara.js"), entry());
writeFileSync(join(folder, "package.json"), `${JSON.stringify(packageJson(), undefined, 2)}\n`);
cpSync(join(here, "README.md"), join(folder, "README.md"));
cpSync(join(here, "..", "LICENSE"), join(folder, "LICENSE"));

function write(file: string): void {
  const target = join(folder, file.replace(/\.ts$/, ".js"));
  mkdirSync(dirname(target), { recursive: true });
  const code = stripTypeScriptTypes(readFileSync(join(here, "src", file), "utf8"));
  writeFileSync(target, code.replace(/(from |import\()"(\.{1,2}\/[^"]+)\.ts"/g, '$1"$2.js"'));
}

/** Newer Nodes keep what they compiled: half of the time that a start takes. */
function entry(): string {
  return `#!/usr/bin/env node
import module from "node:module";

module.enableCompileCache?.();
await import("./main.js");
`;
}

function packageJson(): object {
  const { private: _, ...rest } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  return { ...rest, bin: { jara: "jara.js" }, engines: { node: ">=20.12" } };
}
