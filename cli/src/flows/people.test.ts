import { expect, test } from "vitest";
import { personOf } from "./people.ts";

test("the same word and number are the same person, another is somebody else", () => {
  expect(personOf("demo", 3)).toEqual(personOf("demo", 3));
  const fields = ["phone", "email", "bvn", "nin"] as const;
  const people = Array.from({ length: 500 }, (_, number) => personOf(number < 250 ? "demo" : "other", number % 250));
  for (const field of fields) expect(new Set(people.map((person) => person[field])).size).toBe(people.length);
});

test("everybody can be sent to the API; only those who are not known end in 0000", () => {
  for (let number = 0; number < 300; number += 1) {
    const person = personOf("demo", number);
    expect(person.phone).toMatch(/^\+234[789]0[2-9]\d{7}$|^\+23481\d{8}$/);
    expect(person.bvn).toMatch(/^22\d{8}1$/);
    expect(person.nin).toMatch(/^\d{11}$/);
    expect(person.accountNumber).toMatch(/^0\d{9}$/);
    expect(personOf("demo", number, false).bvn).toMatch(/^22\d{5}0000$/);
  }
});
