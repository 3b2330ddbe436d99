import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { named } from "../named-schema.ts";
import { Nullable } from "../wire.ts";
import { createComponents } from "./components.ts";
import { createSchemaBook } from "./schema-book.ts";

const Moment = named("Moment", Type.String({ format: "date-time", description: "When." }));
const Lamp = named("Lamp", Type.Object({ since: Moment, until: Nullable(Moment) }));

describe("a named schema", () => {
  test("stands once and is referred to", () => {
    const book = createSchemaBook();
    const written = book.write(Type.Array(Type.Object({ lamp: Lamp, spare: Type.Optional(Lamp) })));
    const reference = { $ref: "#/components/schemas/Lamp" };
    expect(written).toMatchObject({ items: { properties: { lamp: reference, spare: reference } } });
    expect(book.all()).toEqual({
      Lamp: {
        type: "object",
        required: ["since", "until"],
        properties: {
          since: { $ref: "#/components/schemas/Moment" },
          until: { anyOf: [{ $ref: "#/components/schemas/Moment" }, { type: "null" }] },
        },
      },
      Moment: { type: "string", format: "date-time", description: "When." },
    });
  });

  test("may be described otherwise where it is used", () => {
    const book = createSchemaBook();
    expect(book.write({ ...Moment, description: "Since when." })).toEqual({
      $ref: "#/components/schemas/Moment",
      description: "Since when.",
    });
    expect(book.all()["Moment"]).toMatchObject({ description: "When." });
  });

  test("cannot have another meaning where it is used", () => {
    const book = createSchemaBook();
    expect(() => book.write({ ...Moment, maxLength: 3 })).toThrow("Moment is used with another maxLength");
    expect(() => book.write({ ...Moment, type: ["number", "null"] })).toThrow("Moment is used with another type");
  });

  test("shares its name with no other", () => {
    const book = createSchemaBook();
    book.write(Lamp);
    expect(() => book.write(named("Lamp", Type.Object({ watts: Type.Number() })))).toThrow("two schemas have the name");
    expect(() => book.write(named("Lamp", Type.Object({ since: Moment, until: Nullable(Moment) })))).not.toThrow();
  });
});

describe("a part that is offered", () => {
  test("stands where it is, until a second place has the same", () => {
    const components = createComponents();
    const one = components.response("Found", { description: "Found." }, { description: "Lamp found." });
    const other = components.response("Found", { description: "Found." });
    const alone = components.response("Lost", { description: "Lost." });
    const { responses } = components.finish();
    expect(one).toEqual({ $ref: "#/components/responses/Found", description: "Lamp found." });
    expect(other).toEqual({ $ref: "#/components/responses/Found" });
    expect(alone).toEqual({ description: "Lost." });
    expect(responses).toEqual({ Found: { description: "Found." } });
  });

  test("is refused when two different ones are shared under one name", () => {
    const components = createComponents();
    for (const description of ["Found.", "Found.", "Met.", "Met."]) components.response("Found", { description });
    expect(() => components.finish()).toThrow("two responses of the OpenAPI document have the name Found");
  });
});
