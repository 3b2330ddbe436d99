/** Makes an example out of a schema: its own `examples` where it has them, a plausible value otherwise. */
interface SchemaLike {
  readonly [keyword: string]: unknown;
}

export function exampleOf(schema: unknown): unknown {
  if (!isSchema(schema)) return null;
  const given = schema["examples"];
  if (Array.isArray(given) && given.length > 0) return given[0];
  for (const keyword of ["const", "default"]) if (keyword in schema) return schema[keyword];
  const choices = schema["enum"] ?? schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices) && !("properties" in schema)) return "enum" in schema ? choices[0] : exampleOf(choices[0]);
  return byType(schema);
}

/** What a request needs and nothing more, so that it can be sent as it stands. */
export function requestExampleOf(schema: unknown): unknown {
  if (!isSchema(schema) || "examples" in schema || !isSchema(schema["properties"])) return exampleOf(schema);
  const condition = isSchema(schema["then"]) ? requiredOf(schema["then"]) : [];
  const needed = [requiredOf(schema), choicesOf(schema)[0] ?? [], condition].flat();
  const entries = Object.entries(schema["properties"]).filter(([name]) => needed.includes(name));
  return Object.fromEntries(entries.map(([name, property]) => [name, requestExampleOf(property)]));
}

function requiredOf(schema: SchemaLike): unknown[] {
  return Array.isArray(schema["required"]) ? schema["required"] : [];
}

/** The fields of each way of sending it, where the schema leaves a choice. */
function choicesOf(schema: SchemaLike): unknown[][] {
  const choices = schema["oneOf"] ?? schema["anyOf"];
  return Array.isArray(choices) ? choices.filter(isSchema).map(requiredOf) : [];
}

function byType(schema: SchemaLike): unknown {
  const types = [schema["type"]].flat();
  switch (types[0]) {
    case "object":
      return objectExample(schema);
    case "array":
      return [exampleOf(schema["items"])];
    case "string":
      return stringExample(schema);
    case "integer":
    case "number":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : 1;
    case "boolean":
      return true;
    default:
      return null;
  }
}

function objectExample(schema: SchemaLike): Record<string, unknown> {
  const properties = isSchema(schema["properties"]) ? schema["properties"] : {};
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, exampleOf(property)]));
}

function stringExample(schema: SchemaLike): string {
  if (schema["format"] === "date-time") return "2026-11-01T08:30:00.000Z";
  if (schema["format"] === "date") return "2026-11-01";
  if (schema["format"] === "uri") return "https://example.com/jara";
  return "text";
}

function isSchema(value: unknown): value is SchemaLike {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
