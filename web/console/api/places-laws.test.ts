/** Where a person may be, over random teams. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ada } from "../testing/in-console.tsx";
import { firstPlace, type Me, placesOf } from "./me.ts";

const kinds = fc.constantFrom("LIVE", "SANDBOX");
const teams = fc.array(fc.array(kinds, { maxLength: 3 }), { maxLength: 4 }).map((merchants) =>
  merchants.map((environments, m) => ({
    id: `m-${m}`,
    name: `Shop ${m}`,
    role: "viewer",
    environments: environments.map((kind, e) => ({ id: `e-${m}-${e}`, kind, name: "Main" })),
  })),
);
const meOn = (merchants: Me["merchants"]): Me => ({ ...ada, merchants });

test("every environment of every merchant is a place once, with its own merchant", () => {
  fc.assert(
    fc.property(teams, (merchants) => {
      const places = placesOf(meOn(merchants));
      expect(places).toHaveLength(merchants.reduce((sum, { environments }) => sum + environments.length, 0));
      for (const { merchant, environment } of places) expect(merchant.environments).toContain(environment);
    }),
  );
});

test("who was in one of their places comes back to it", () => {
  fc.assert(
    fc.property(teams, fc.nat(), (merchants, pick) => {
      const places = placesOf(meOn(merchants));
      fc.pre(places.length > 0);
      const last = places[pick % places.length];
      expect(firstPlace(meOn(merchants), last?.environment.id ?? null)).toEqual(last);
    }),
  );
});

test.each([null, "", "e-of-somebody-else"])("who was last in %j begins in a sandbox if there is one", (last) => {
  fc.assert(
    fc.property(teams, (merchants) => {
      const places = placesOf(meOn(merchants));
      const first = firstPlace(meOn(merchants), last);
      const hasSandbox = places.some(({ environment }) => environment.kind === "SANDBOX");
      expect(first?.environment.kind).toBe(hasSandbox ? "SANDBOX" : places[0]?.environment.kind);
    }),
  );
});
