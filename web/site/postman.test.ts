/** The collection for Postman, from a document with one of everything. */
import { expect, test } from "vitest";
import { type OpenApi, postmanCollection } from "./postman.ts";

const document: OpenApi = {
  info: { title: "Jara", description: "Money.", version: "1.2.3" },
  tags: [{ name: "Gifts", description: "Give." }, { name: "Empty" }],
  paths: {
    "/gifts/{giftId}": {
      post: {
        operationId: "giveGift",
        tags: ["Gifts"],
        summary: "Give a gift",
        parameters: [
          { name: "giftId", in: "path", required: true, schema: { $ref: "#/components/schemas/Id" } },
          { name: "note", in: "query", required: true, schema: { examples: ["a b&c"] } },
          { name: "page", in: "query", schema: {} },
          { $ref: "#/components/parameters/Key" },
        ],
        requestBody: { content: { "application/json": { example: { amount: 2_500.5 } } } },
      },
      get: { operationId: "getGift", tags: ["Gifts"], summary: "Look", description: "Look at a gift." },
      head: { tags: ["Gifts"], summary: "Nothing that has a name" },
    },
  },
  components: {
    parameters: { Key: { name: "Idempotency-Key", in: "header", description: "Once.", schema: { examples: ["k-1"] } } },
    schemas: { Id: { examples: ["g-1"] } },
  },
};

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly header: readonly { readonly key: string; readonly disabled?: boolean }[];
    readonly url: {
      readonly raw: string;
      readonly path: readonly string[];
      readonly variable?: readonly object[];
      readonly query?: readonly { readonly key: string; readonly disabled: boolean }[];
    };
    readonly body?: { readonly raw: string };
    readonly description: string;
  };
}
const collection = postmanCollection(document) as {
  readonly info: { readonly schema: string; readonly version: string };
  readonly auth: { readonly bearer: readonly { readonly value: string }[] };
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
};
const [give, look] = collection.item[0]?.item ?? [];

test("it says which version it is of, and that it is a collection", () => {
  expect(collection.info.version).toBe("1.2.3");
  expect(collection.info.schema).toContain("v2.1.0");
});

test("the key is a variable, empty at first: nobody's key is in the file", () => {
  expect(collection.auth.bearer[0]?.value).toBe("{{secretKey}}");
  expect(collection.variable.find(({ key }) => key === "secretKey")?.value).toBe("");
});

test("a section without operations is no folder, and what has no name of its own is no request", () => {
  expect(collection.item.map(({ name, item }) => [name, item.length])).toEqual([["Gifts", 2]]);
});

test("an id in the path is a variable with its example", () => {
  expect(give?.request.url.path).toEqual(["gifts", ":giftId"]);
  expect(give?.request.url.variable).toEqual([{ key: "giftId", value: "g-1", description: "" }]);
});

test("what has to be asked is in the address, encoded; what may be is there to be switched on", () => {
  expect(give?.request.url.raw).toBe("{{baseUrl}}/gifts/:giftId?note=a%20b%26c");
  expect(give?.request.url.query?.map(({ key, disabled }) => [key, disabled])).toEqual([
    ["note", false],
    ["page", true],
  ]);
});

test("a body is the document's example, and only then is its type said", () => {
  expect(JSON.parse(give?.request.body?.raw ?? "")).toEqual({ amount: 2_500.5 });
  expect(give?.request.header.map(({ key, disabled }) => [key, disabled ?? false])).toEqual([
    ["Content-Type", false],
    ["Idempotency-Key", true],
  ]);
  expect(look?.request).not.toHaveProperty("body");
  expect(look?.request.header).toEqual([]);
});

test("a request is described in its own words, else by its name", () => {
  expect([give?.request.description, look?.request.description]).toEqual(["Give a gift", "Look at a gift."]);
});

test("a part that the document does not have is a mistake", () => {
  const broken = { ...document, components: { ...document.components, parameters: {} } };
  expect(() => postmanCollection(broken)).toThrow("the document has no #/components/parameters/Key");
});
