/** The bodies of refusals: what each code carries, in the words of either family. */
import type { ProblemCatalogue, ProblemKind } from "../../problem.ts";
import { errorBody, errorSchemas } from "../envelope.ts";
import type { Family } from "../family.ts";
import type { Components } from "./components.ts";
import { exampleOf } from "./example.ts";
import { lowerCamel, pascal } from "./words.ts";

const exampleRequestId = "req_Wq3n0vY7kT2a1c";

/** Names of the general family go without saying. */
const prefixes: Readonly<Record<Family, string>> = { general: "", loans: "Loans" };

export function kindOf(catalogue: ProblemCatalogue, code: string): ProblemKind {
  const kind = catalogue[code];
  if (kind === undefined) throw new Error(`no catalogue has the problem ${code}`);
  return kind;
}

export function familyName(family: Family, name: string): string {
  return prefixes[family] + name;
}

/** The body of a refusal with one of these codes. A code that carries data says which. */
export function problemBody(
  family: Family,
  kinds: readonly (readonly [code: string, kind: ProblemKind])[],
  components: Components,
): unknown {
  const { schemas } = components;
  const base = schemas.enter(familyName(family, "Problem"), schemas.write(errorSchemas[family]));
  const plain = kinds.filter(([, kind]) => kind.data === undefined).map(([code]) => code);
  const choices = [
    ...kinds.filter(([, kind]) => kind.data !== undefined).map((one) => carryingProblem(family, one, components)),
    ...(plain.length === 0 ? [] : [{ properties: { code: { enum: plain }, data: { type: "null" } } }]),
  ];
  return { allOf: [base, choices.length === 1 ? choices[0] : { anyOf: choices }] };
}

function carryingProblem(
  family: Family,
  [code, kind]: readonly [string, ProblemKind],
  { schemas }: Components,
): unknown {
  const data = schemas.write(dataSchema(family, kind));
  const properties = { code: { const: code }, data };
  return schemas.enter(familyName(family, `${pascal(code)}Problem`), { properties, required: ["code", "data"] });
}

export function exampleProblem(family: Family, code: string, kind: ProblemKind, components: Components): unknown {
  const field = family === "loans" ? "bank_code" : "bankCode";
  const errors = code === "validation_failed" ? [{ field, message: "is required" }] : [];
  const data = kind.data === undefined ? null : (exampleOf(dataSchema(family, kind)) as Record<string, unknown>);
  const value = errorBody(family, { code, message: kind.message, errors, data }, exampleRequestId);
  return components.example(familyName(family, pascal(code)), { value });
}

/** In the words of the family. */
function dataSchema(family: Family, { data }: ProblemKind): unknown {
  return family === "loans" ? data : renamed(data);
}

/** A copy, names of schemas included, whose properties are in camelCase. */
function renamed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(renamed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy: Record<string, unknown> = { ...schema };
  for (const [keyword, value] of Object.entries(copy)) copy[keyword] = renamed(value);
  const { properties, required } = copy;
  if (typeof properties === "object" && properties !== null) {
    copy["properties"] = Object.fromEntries(Object.entries(properties).map(([name, one]) => [lowerCamel(name), one]));
    if (Array.isArray(required)) copy["required"] = required.map(String).map(lowerCamel);
  }
  return copy;
}
