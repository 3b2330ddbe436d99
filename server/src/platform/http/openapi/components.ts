/**
 * What operations share. Each offers its parts under a name; what is offered more than once in the same form stands
 * once in the document and is referred to, everything else stays where it is.
 */
import { createSchemaBook, type SchemaBook } from "./schema-book.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Components {
  readonly schemas: SchemaBook;
  /** `own` is what this place says instead, also beside a reference. */
  response(name: string, response: Fields, own?: Fields): Fields;
  parameter(name: string, parameter: Fields): Fields;
  /** Referred to also from a single place. */
  example(name: string, example: Fields): Fields;
  /** A response that stands for itself. */
  keepResponse(name: string, response: Fields): void;
  /** Fills in what was offered, and returns the document's `components`. */
  finish(): Record<string, unknown>;
}

export function createComponents(): Components {
  const schemas = createSchemaBook();
  const responses = createShelf("responses");
  const parameters = createShelf("parameters");
  const examples = createShelf("examples");
  return {
    schemas,
    response: responses.offer,
    parameter: parameters.offer,
    example: (name, example) => examples.keep(name, example),
    keepResponse: (name, response) => void responses.keep(name, response),
    finish: () => ({
      schemas: schemas.all(),
      responses: responses.finish(),
      parameters: parameters.finish(),
      examples: examples.finish(),
    }),
  };
}

interface Offer {
  readonly name: string;
  readonly value: Fields;
  readonly own: Fields;
  /** Stands in the document, and is filled in when all offers are known. */
  readonly place: Record<string, unknown>;
}

function createShelf(kind: string) {
  const offers: Offer[] = [];
  const kept = new Map<string, Fields>();
  const keep = (name: string, value: Fields): Fields => {
    const known = kept.get(name);
    if (known !== undefined && textOf(known) !== textOf(value)) {
      throw new Error(`two ${kind} of the OpenAPI document have the name ${name}: rename one of them`);
    }
    kept.set(name, value);
    return { $ref: `#/components/${kind}/${name}` };
  };
  return {
    keep,
    offer(name: string, value: Fields, own: Fields = {}): Fields {
      const place: Record<string, unknown> = {};
      offers.push({ name, value, own, place });
      return place;
    },
    finish(): Record<string, unknown> {
      const alike = Map.groupBy(offers, ({ name, value }) => `${name} ${textOf(value)}`);
      for (const group of alike.values()) {
        for (const { name, value, own, place } of group) {
          Object.assign(place, group.length > 1 ? keep(name, value) : value, own);
        }
      }
      return Object.fromEntries([...kept].sort(([one], [other]) => (one < other ? -1 : 1)));
    },
  };
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}
