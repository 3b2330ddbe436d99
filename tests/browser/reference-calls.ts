/** The calls that a reference has filled in for its reader, read from the document as the page reads it. */

type Node = { readonly [key: string]: unknown };

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: { readonly examples?: readonly unknown[]; readonly default?: unknown };
}

interface Operation {
  readonly tags: readonly [string];
  readonly parameters?: readonly Node[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface ReferenceDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [key: string]: unknown;
}

export interface FilledCall {
  /** As in `post /loans/create`. */
  readonly operation: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string | null;
  /** The statuses that the document declares. */
  readonly declared: readonly string[];
  /** Where Scalar draws it, as the address's fragment. */
  readonly place: string;
}

export function filledCalls(document: ReferenceDocument): FilledCall[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => fill(document, path, method, operation)),
  );
}

function fill(document: ReferenceDocument, path: string, method: string, operation: Operation): FilledCall {
  const query = new URLSearchParams();
  let filled = path;
  for (const written of operation.parameters ?? []) {
    const parameter = resolve(document, written) as unknown as Parameter;
    const { examples, default: usual } = resolve(document, parameter.schema) as Parameter["schema"];
    const value = String(examples?.[0] ?? usual);
    if (parameter.in === "path") filled = filled.replace(`{${parameter.name}}`, value);
    if (parameter.in === "query" && parameter.required === true) query.set(parameter.name, value);
  }
  const example = operation.requestBody?.content["application/json"]?.example;
  return {
    operation: `${method} ${path}`,
    method: method.toUpperCase(),
    path: query.size === 0 ? filled : `${filled}?${query}`,
    body: example === undefined ? null : JSON.stringify(example),
    declared: Object.keys(operation.responses),
    place: `tag/${operation.tags[0].toLowerCase().replaceAll(" ", "-")}/${method.toUpperCase()}${path}`,
  };
}

function resolve(document: Node, node: Node): Node {
  const reference = node["$ref"];
  return typeof reference === "string" ? nodeAt(document, reference) : node;
}

function nodeAt(document: Node, reference: string): Node {
  const steps = reference.slice(2).split("/");
  return steps.reduce<Node>((node, step) => node[step] as Node, document);
}

/** The same document with these operations alone, which is drawn in a moment. */
export function cutDown(document: ReferenceDocument, wanted: readonly string[]): ReferenceDocument {
  const paths = Object.entries(document.paths).flatMap(([path, operations]) => {
    const kept = Object.entries(operations).filter(([method]) => wanted.includes(`${method} ${path}`));
    return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)]];
  });
  // What stands above the operations keeps Scalar from drawing them.
  const { webhooks, tags, info, ...rest } = document;
  const cut = { ...rest, info: { ...(info as Node), description: "" }, paths: Object.fromEntries(paths) };
  const used = referencesIn(document, cut.paths, new Set());
  const components = Object.entries(document.components).map(([group, named]) => [
    group,
    group === "securitySchemes"
      ? named
      : Object.fromEntries(Object.entries(named).filter(([name]) => used.has(`#/components/${group}/${name}`))),
  ]);
  return { ...cut, components: Object.fromEntries(components) };
}

function referencesIn(document: ReferenceDocument, value: unknown, found: Set<string>): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  const reference = (value as Node)["$ref"];
  if (typeof reference === "string" && !found.has(reference)) {
    found.add(reference);
    referencesIn(document, nodeAt(document, reference), found);
  }
  for (const part of Object.values(value)) referencesIn(document, part, found);
  return found;
}
