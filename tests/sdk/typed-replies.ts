/** Holds replies against the SDK's types: each is written down as a literal of its type, and the compiler judges. */
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { camelKeys } from "../../sdk/src/wire/casing.ts";
import { readDocument, root } from "../document/document.ts";

/** A value and the type that it should have: `Operations["POST /transfers"]["data"]`. */
export interface Claim {
  readonly type: string;
  readonly value: unknown;
}

const run = promisify(execFile);

/** What the compiler says about the claims; empty when all of them hold. */
export async function refuteClaims(claims: readonly Claim[]): Promise<string> {
  const folder = join(root, "node_modules", ".cache", "jara-sdk-claims", `${process.pid}-${Date.now()}`);
  await mkdir(folder, { recursive: true });
  const source = join(root, "sdk", "src", "index.ts");
  const lines = claims.map(
    ({ type, value }, index) => `export const claim${index}: ${type} = ${JSON.stringify(value)};`,
  );
  await writeFile(join(folder, "claims.ts"), `import type * as api from "${source}";\n${lines.join("\n")}\n`);
  const compiler = join(root, "node_modules", "typescript-native", "bin", "tsc");
  const flags = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--allowImportingTsExtensions",
    "--types",
    "",
  ];
  try {
    const files = ["--module", "nodenext", "--target", "es2022", join(folder, "claims.ts")];
    const { stdout } = await run(process.execPath, [compiler, ...flags, ...files]);
    return stdout;
  } catch (failed) {
    const { stdout = "" } = failed as { stdout?: string };
    return withClaims(stdout, await readFile(join(folder, "claims.ts"), "utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The compiler names a line; a reader wants to see it. */
function withClaims(output: string, source: string): string {
  const lines = source.split("\n");
  return output.replace(
    /claims\.ts\((\d+),/g,
    (found, line: string) => `${lines[Number(line) - 1]?.slice(0, 200)}\n${found}`,
  );
}

const documentedOperations: readonly string[] = await (async () => {
  const { paths } = JSON.parse(await readDocument("docs/openapi.json")) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
})();

/** `GET /transfers/{id}` of `GET /transfers/0193…`; a path that is written out goes first. */
export function operationOf(method: string, path: string): string | undefined {
  const fits = documentedOperations.filter((name) =>
    new RegExp(`^${name.replace(/\{\w+\}/g, "[^/]+")}$`).test(`${method} ${path}`),
  );
  return fits.sort((one, other) => one.split("{").length - other.split("{").length)[0];
}

/** What a reply claims to be, as the SDK hands it on. */
export function claimsOf(operation: string, body: unknown): Claim[] {
  const { data, meta, pagination } = camelKeys(body) as { data?: unknown; meta?: unknown; pagination?: unknown };
  const type = `api.Operations["${operation}"]`;
  if (data === undefined) return [];
  if (meta === undefined && pagination === undefined) return [{ type: `${type}["data"]`, value: data }];
  return (data as unknown[]).map((value) => ({ type: `${type}["item"]`, value }));
}
