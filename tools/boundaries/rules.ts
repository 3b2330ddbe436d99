import type { IForbiddenRuleType } from "dependency-cruiser";
import { collectedByRoots, collectedInside, mayImport, mayImportInside, privateFiles, type Rows } from "./table.ts";

const source = "^server/src/";
/** The composition roots: what opens the house, the programs that people run by hand, and main.ts. */
const roots = String.raw`${source}(?:(?:start|programs)/)?[^/]+\.ts$`;
const tests = String.raw`\.test\.tsx?$`;

/** Everything that tests, measures or checks; none of it runs in production. */
const testCode = String.raw`\.test\.tsx?$|^server/testing/|^(tests|bench|tools|deploy)/|^vitest\.config\.ts$`;

/** The table as rules of dependency-cruiser. */
export function boundaryRules(): IForbiddenRuleType[] {
  return [
    ...Object.entries(mayImport).map(([folder, allowed]) => folderRule(folder, allowed)),
    ...Object.keys(mayImport).map(privacyRule),
    ...Object.entries(mayImportInside).flatMap(([domain, rows]) => insideRules(domain, rows)),
    ...wholeTreeRules,
  ];
}

/** A folder sees itself and its row. Composition roots see everything, and only each other see them. */
function folderRule(folder: string, allowed: readonly string[]): IForbiddenRuleType {
  const visible = [folder, ...allowed].join("|");
  return forbidden(`${folder}-imports`, `${folder} may import: ${allowed.join(", ") || "nothing"}.`, {
    from: { path: `${source}${folder}/`, pathNot: tests },
    to: { path: source, pathNot: `${source}(${visible})/` },
  });
}

function privacyRule(folder: string): IForbiddenRuleType {
  return forbidden(`${folder}-is-private`, "Stores, schemas, routes, jobs and the slice belong to their folder.", {
    from: { pathNot: [`${source}${folder}/`, testCode, roots] },
    to: { path: `${source}${folder}(?=/).*(${privateFiles})` },
  });
}

/** The table inside a domain: its folders and, under the domain's own name, the files directly in it. */
function insideRules(domain: string, rows: Rows): IForbiddenRuleType[] {
  const inside = `${source}${domain}/`;
  const placeOf = (name: string): string => (name === domain ? `${inside}[^/]+$` : `${inside}${name}/`);
  return [
    ...Object.entries(rows).map(([name, allowed]) =>
      forbidden(`${domain}-${name}-imports`, `In ${domain}, ${name} may import: ${allowed.join(", ") || "nothing"}.`, {
        from: { path: placeOf(name), pathNot: [tests, `${inside}slice\\.ts$`] },
        to: { path: inside, pathNot: [name, ...allowed].map(placeOf) },
      }),
    ),
    forbidden(
      `${domain}-folders-are-private`,
      `The files directly in ${domain} collect its folders' routes and jobs.`,
      {
        from: { path: `${inside}([^/]+)/`, pathNot: tests },
        to: { path: `${inside}.*(${collectedInside})`, pathNot: `${inside}$1/` },
      },
    ),
    forbidden(`${domain}-known-folders`, `A new folder of ${domain} needs its row in tools/boundaries/table.ts.`, {
      from: { path: source },
      to: { path: `${inside}[^/]+/`, pathNot: Object.keys(rows).map(placeOf) },
    }),
  ];
}

const wholeTreeRules: readonly IForbiddenRuleType[] = [
  forbidden("roots-collect", "slices.ts collects slices; what a folder keeps to itself comes with its slice.", {
    from: { path: roots, pathNot: tests },
    to: { path: `${source}[^/]+(?=/).*(${privateFiles})`, pathNot: collectedByRoots },
  }),
  forbidden("known-folders", "A new folder of server/src needs its row in tools/boundaries/table.ts.", {
    from: { path: source },
    to: { path: `${source}[^/]+/`, pathNot: `${source}(start|programs|${Object.keys(mayImport).join("|")})/` },
  }),
  forbidden("no-cycles", "Two files that need each other are one file, or lack a third.", {
    from: {},
    to: { circular: true },
  }),
  forbidden("testing-stays-in-tests", "server/testing serves tests only.", {
    from: { pathNot: testCode },
    to: { path: "^(server/testing|tests)/" },
  }),
  forbidden("server-is-not-a-library", "Web, command line and SDK speak to the server over HTTP.", {
    from: { path: "^(web|cli|sdk)/" },
    to: { path: "^server/" },
  }),
  forbidden("sdk-stands-alone", "What is published as @jara/sdk imports nothing but itself.", {
    from: { path: "^sdk/src/", pathNot: tests },
    to: { pathNot: "^sdk/src/" },
  }),
  forbidden("examples-stand-alone", "An example is copied as a folder: it imports itself, packages and @jara/sdk.", {
    from: { path: "^examples/([^/]+)/" },
    to: { pathNot: "^examples/$1/|^sdk/src/index\\.ts$|(^|/)node_modules/", dependencyTypesNot: ["core"] },
  }),
  forbidden("pages-take-types-of-the-sdk", "A page may import the types of @jara/sdk, so that its code stays out.", {
    from: { path: "^web/" },
    to: { path: "^sdk/", dependencyTypesNot: ["type-only"] },
  }),
  forbidden("pages-stand-alone", "A page of web/ imports itself and web/shared, so that none drags another along.", {
    from: { path: "^web/([^/]+)/" },
    to: { path: "^web/[^/]+/", pathNot: "^web/($1|shared|testing)/" },
  }),
  forbidden("pages-without-test-tools", "What draws pages for tests stays out of the pages.", {
    from: { path: "^web/", pathNot: [tests, "/testing/"] },
    to: { path: ["^web/testing/", "^web/[^/]+/testing/"] },
  }),
  forbidden("no-tools-at-runtime", "The server runs without its tools and development packages.", {
    from: { path: source, pathNot: tests },
    to: { path: "^tools/" },
  }),
  forbidden("no-development-packages", "What the server imports belongs in server/package.json.", {
    from: { path: source, pathNot: tests },
    to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
  }),
  forbidden("nothing-missing", "An import that resolves to nothing.", {
    from: {},
    to: { couldNotResolve: true },
  }),
];

interface Ends {
  readonly from: object;
  readonly to: object;
}

function forbidden(name: string, comment: string, rule: Ends): IForbiddenRuleType {
  return { name: name.replaceAll("/", "-"), comment, severity: "error", ...rule } as IForbiddenRuleType;
}
