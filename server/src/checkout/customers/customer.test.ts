import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Identified } from "./ask-identity.ts";
import { type Customer, hasCardForLoans, type Person } from "./customer.ts";
import { claimOf, kycOf } from "./onboard-customer.ts";
import { readPerson } from "./read-person.ts";
import type { CustomerBody } from "./schemas.ts";

const birthday = Temporal.PlainDate.from("1994-06-21");
const known: Identified = {
  bvn: "22123456789",
  nin: "12345678901",
  firstName: "Adaeze",
  lastName: "Okafor",
  dateOfBirth: birthday,
};
const person: Person = {
  ...known,
  email: "adaeze@example.com",
  phone: "+2348031234567",
  address: null,
  externalId: null,
};

describe("what would be claimed about a known customer", () => {
  test("keeps what was left out", () => {
    expect(claimOf({ ...person, nin: null, dateOfBirth: null }, known)).toEqual(known);
  });

  test("takes what was said in its place", () => {
    const later = Temporal.PlainDate.from("1995-01-01");
    const claim = claimOf({ ...person, firstName: "Ada", nin: "99999999999", dateOfBirth: later }, known);
    expect(claim).toEqual({ ...known, firstName: "Ada", nin: "99999999999", dateOfBirth: later });
  });

  test("never says less than is known: a thief cannot shake off a NIN or a birthday", () => {
    const maybe = <T>(value: T) => fc.constantFrom(null, value);
    fc.assert(
      fc.property(maybe("11111111111"), maybe(birthday), maybe("22222222222"), maybe(birthday), (...given) => {
        const [nin, dateOfBirth, knownNin, knownBirthday] = given;
        const before = { ...known, nin: knownNin, dateOfBirth: knownBirthday };
        const claim = claimOf({ ...person, nin, dateOfBirth }, before);
        expect(claim.nin === null).toBe(nin === null && knownNin === null);
        expect(claim.dateOfBirth === null).toBe(dateOfBirth === null && knownBirthday === null);
      }),
    );
  });

  test("has nothing of contact data, which the register does not know", () => {
    expect(Object.keys(claimOf(person, known)).sort()).toEqual(Object.keys(known).sort());
  });
});

describe("what the register's answer makes of a customer", () => {
  test.each([
    [{ outcome: "matched", phone: "fits" }, "verified", null],
    [{ outcome: "mismatched", reason: "The name differs." }, "failed", "The name differs."],
    [{ outcome: "unavailable" }, "pending", null],
  ] as const)("%j: %s", (answer, status, reason) => {
    expect(kycOf(answer)).toEqual({ status, reason });
  });
});

describe("a linked card", () => {
  const phones = ["+2348031234567", "+2348099999999"] as const;
  const customer = (defaultCardId: string | null, phone: string, cardPhone: string | null): Customer => ({
    id: "c1",
    firstName: "Adaeze",
    lastName: "Okafor",
    email: "adaeze@example.com",
    phone,
    dateOfBirth: null,
    address: null,
    externalId: null,
    kycStatus: "verified",
    kycReason: null,
    kycByOperator: false,
    identityProof: "phone",
    defaultCardId,
    cardPhone,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  });

  test.each([
    ["under the phone of today backs a loan", customer("k1", phones[0], phones[0]), true],
    ["under an earlier phone backs none", customer("k1", phones[1], phones[0]), false],
    ["of no known phone backs none", customer("k1", phones[0], null), false],
    ["that was removed backs none", customer(null, phones[0], phones[0]), false],
    ["that never was backs none", customer(null, phones[0], null), false],
  ] as const)("%s", (_, who, backs) => {
    expect(hasCardForLoans(who)).toBe(backs);
  });
});

describe("a person as a merchant writes one", () => {
  const body: CustomerBody = {
    first_name: "  Adaeze ",
    last_name: "Okafor\t",
    email: "adaeze@example.com",
    phone: "0803 123 4567",
    bvn: "22123456789",
  };

  test("is read with the phone as the world writes it, and without blanks around names", () => {
    expect(readPerson(body)).toEqual({
      firstName: "Adaeze",
      lastName: "Okafor",
      email: "adaeze@example.com",
      phone: "+2348031234567",
      bvn: "22123456789",
      nin: null,
      dateOfBirth: null,
      address: null,
      externalId: null,
    });
  });

  test.each(["08031234567", "2348031234567", "+234 803 123 4567", "0803-123-4567", "+234 (803) 123.4567"])(
    "has the same phone written as %s",
    (phone) => {
      expect(readPerson({ ...body, phone }).phone).toBe("+2348031234567");
    },
  );

  test("has a birthday as a date of the calendar", () => {
    expect(String(readPerson({ ...body, date_of_birth: "1994-06-21" }).dateOfBirth)).toBe("1994-06-21");
    expect(() => readPerson({ ...body, date_of_birth: "1994-02-30" })).toThrow();
  });
});
