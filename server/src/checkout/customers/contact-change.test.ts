import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ContactChange,
  type ContactData,
  changeTransitions,
  contactDifferences,
  contactFields,
  fieldsOf,
  shownChangeStatus,
} from "./contact-change.ts";
import type { Customer, Person } from "./customer.ts";

const now = new Date("2026-11-02T08:00:00.000Z");
const known: Customer = {
  id: "c1",
  firstName: "Adaeze",
  lastName: "Okafor",
  email: "Adaeze@Example.com",
  phone: "+2348031234567",
  dateOfBirth: null,
  address: null,
  externalId: null,
  kycStatus: "verified",
  kycReason: null,
  kycByOperator: false,
  identityProof: "phone",
  defaultCardId: null,
  cardPhone: null,
  createdAt: now,
  updatedAt: now,
};
const said = (changes: Partial<Person> = {}): Person => ({
  firstName: "Adaeze",
  lastName: "Okafor",
  email: "Adaeze@Example.com",
  phone: "+2348031234567",
  bvn: "22123456789",
  nin: null,
  dateOfBirth: null,
  address: null,
  externalId: null,
  ...changes,
});
const nothing: ContactData = { phone: null, email: null, address: null };

describe("what somebody says otherwise than it is known", () => {
  test("is nothing when all is the same", () => {
    expect(contactDifferences(known, said())).toEqual(nothing);
    expect(fieldsOf(nothing)).toEqual([]);
  });

  test("is each field by itself", () => {
    const phone = "+2348099999999";
    expect(contactDifferences(known, said({ phone }))).toEqual({ ...nothing, phone });
    expect(contactDifferences(known, said({ email: "ada@example.com" }))).toEqual({
      ...nothing,
      email: "ada@example.com",
    });
    expect(contactDifferences(known, said({ address: "12 Allen Avenue" }))).toEqual({
      ...nothing,
      address: "12 Allen Avenue",
    });
  });

  test("is not an address of e-mail in other letters", () => {
    expect(contactDifferences(known, said({ email: "ADAEZE@example.COM" })).email).toBeNull();
  });

  test("is never a home address that was left out: leaving out takes nothing away", () => {
    const housed = { ...known, address: "12 Allen Avenue" };
    expect(contactDifferences(housed, said({ address: null }))).toEqual(nothing);
    expect(contactDifferences(housed, said({ address: "12 Allen Avenue" }))).toEqual(nothing);
  });

  test("does not depend on names, birthdays and numbers, which the register decides about", () => {
    const claim = { firstName: "Chidi", nin: "12345678901", dateOfBirth: Temporal.PlainDate.from("1990-01-01") };
    expect(contactDifferences(known, said({ ...claim, externalId: "user-77" }))).toEqual(nothing);
  });

  test("names its fields in one order, whatever changes", () => {
    const some = fc.option(fc.string({ minLength: 1 }));
    fc.assert(
      fc.property(fc.record({ address: some, email: some, phone: some }), (data) => {
        const fields = fieldsOf(data);
        expect(fields).toEqual(contactFields.filter((field) => fields.includes(field)));
        for (const field of contactFields) expect(fields.includes(field)).toBe(data[field] !== null);
      }),
    );
  });
});

describe("a change as a person sees it", () => {
  const change = (status: ContactChange["status"], inMs: number): ContactChange => ({
    ...nothing,
    id: "x1",
    customerId: "c1",
    phone: "+2348099999999",
    status,
    createdAt: now,
    expiresAt: new Date(now.getTime() + inMs),
  });

  test.each([
    ["pending", 1, "pending"],
    ["pending", 0, "expired"],
    ["pending", -1, "expired"],
    ["confirmed", -1, "confirmed"],
    ["approved", -1, "approved"],
    ["rejected", -1, "rejected"],
    ["replaced", -1, "replaced"],
  ] as const)("is %s, ends in %i ms, and is shown as %s", (status, inMs, shown) => {
    expect(shownChangeStatus(change(status, inMs), now)).toBe(shown);
  });

  test("is decided once: whatever ended it, nothing follows", () => {
    const { pending, ...ended } = changeTransitions;
    expect(Object.values(ended).flat()).toEqual([]);
    expect([...pending].sort()).toEqual(Object.keys(ended).sort());
  });
});
