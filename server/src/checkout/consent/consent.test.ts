import { expect, test } from "vitest";
import { maskPhone } from "../../platform/phone-number.ts";
import { createSealer, generateMasterKey, parseMasterKeys } from "../../platform/secrets/crypto.ts";
import { digitsFor, hashDigits, matches, newDigits } from "./code.ts";
import { codeTransitions } from "./consent.ts";
import { canonicalJson } from "./terms.ts";

test.each([
  ["+2348031234678", "0803****678"],
  ["+2349130000001", "0913****001"],
])("%s is shown as %s", (phone, shown) => {
  expect(maskPhone(phone)).toBe(shown);
});

test("the canonical form does not depend on the order in which members were written", () => {
  expect(canonicalJson({ b: [{ y: 1, x: "é" }], a: null })).toBe('{"a":null,"b":[{"x":"é","y":1}]}');
  expect(canonicalJson({ a: null, b: [{ x: "é", y: 1 }] })).toBe(canonicalJson({ b: [{ y: 1, x: "é" }], a: null }));
});

const older = generateMasterKey(1);
const sealer = createSealer(parseMasterKeys(older));
const subject = { kind: "loan", id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b12" } as const;
const key = { id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", subject };

test("a code has six digits, differs from code to code, and can be derived again from its id alone", () => {
  const digits = newDigits(sealer, "LIVE", key.id);
  expect(digits).toMatch(/^\d{6}$/);
  const all = new Set(Array.from({ length: 200 }, () => newDigits(sealer, "LIVE", crypto.randomUUID())));
  expect(all.size).toBeGreaterThan(190);
  expect(digitsFor(sealer, { ...key, codeHash: hashDigits(sealer, key, digits) })).toBe(digits);
});

test("without the master key neither digits nor hash can be computed", () => {
  const stranger = createSealer(parseMasterKeys(generateMasterKey(1)));
  expect(newDigits(stranger, "LIVE", key.id)).not.toBe(newDigits(sealer, "LIVE", key.id));
  expect(matches(stranger, { ...key, codeHash: hashDigits(sealer, key, "123456") }, "123456")).toBe(false);
});

test("a code that was made before the master key was exchanged can still be sent and answered", () => {
  const digits = newDigits(sealer, "LIVE", key.id);
  const codeHash = hashDigits(sealer, key, digits);
  const after = createSealer(parseMasterKeys(`${generateMasterKey(2)},${older}`));
  expect(digitsFor(after, { ...key, codeHash })).toBe(digits);
  expect(matches(after, { ...key, codeHash }, digits)).toBe(true);
});

test("a hash is bound to its loan and to its code", () => {
  const codeHash = hashDigits(sealer, key, "000000");
  expect(matches(sealer, { ...key, codeHash }, "000000")).toBe(true);
  expect(matches(sealer, { ...key, codeHash }, "000001")).toBe(false);
  expect(matches(sealer, { ...key, subject: { ...subject, id: key.id }, codeHash }, "000000")).toBe(false);
  expect(matches(sealer, { ...key, id: subject.id, codeHash }, "000000")).toBe(false);
});

test("a code that was used or replaced never comes back", () => {
  expect(codeTransitions.used).toEqual([]);
  expect(codeTransitions.replaced).toEqual([]);
});
