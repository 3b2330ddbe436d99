import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { namesFit, readDate } from "./person-names.ts";

const register = { first: "ADAEZE", middle: "CHIOMA", last: "OKAFOR-OBI" };
const given = (firstName: string, lastName: string) => ({ firstName, lastName });

describe("a name fits", () => {
  test.each([
    ["as it is written", given("Adaeze", "Okafor-Obi")],
    ["with the middle name", given("Adaeze Chioma", "Okafor Obi")],
    ["with first and last name changed round", given("Okafor", "Adaeze")],
    ["with half of a double name", given("Adaeze", "Obi")],
    ["with accents", given("Àdáézé", "Ọkáfọ̀r")],
    ["with blanks around it", given("  Adaeze ", "Okafor ")],
  ])("%s", (_, name) => {
    expect(namesFit(name, register)).toBe(true);
  });

  test.each([
    ["Ɗanladi", "Ƙwairanga", "DANLADI", "KWAIRANGA"],
    ["Ɓala", "'Yar’adua", "BALA", "YARADUA"],
    ["Chuka", "N'Diaye", "CHUKA", "NDIAYE"],
  ])("%s %s is %s %s in the register", (firstName, lastName, first, last) => {
    expect(namesFit(given(firstName, lastName), { first, middle: "", last })).toBe(true);
  });
});

describe("a name does not fit", () => {
  test.each([
    ["another first name", given("Ngozi", "Okafor")],
    ["another last name", given("Adaeze", "Eze")],
    ["a further name that the register does not have", given("Adaeze Ngozi", "Okafor")],
    ["the middle name for the first", given("Chioma", "Okafor")],
    ["the first name twice", given("Adaeze", "Adaeze")],
    ["half of a word", given("Ada", "Okafor")],
    ["no first name", given("", "Adaeze Okafor")],
    ["nothing but signs", given("--", "Okafor")],
  ])("%s", (_, name) => {
    expect(namesFit(name, register)).toBe(false);
  });

  test("a register without a last name fits nobody", () => {
    expect(namesFit(given("Adaeze", "Okafor"), { first: "Adaeze", middle: "Okafor", last: "" })).toBe(false);
  });
});

describe("a birthday", () => {
  test.each([
    ["1990-05-16", "1990-05-16"],
    ["1990-05-16T00:00:00.000Z", "1990-05-16"],
    ["16-05-1990", "1990-05-16"],
    ["6/5/1990", "1990-05-06"],
    ["16-May-1990", "1990-05-16"],
    ["16 September 1990", "1990-09-16"],
    ["29-02-2000", "2000-02-29"],
  ])("%s is %s", (text, date) => {
    expect(readDate(text)).toBe(date);
  });

  test.each(["", "1990", "05-16-1990", "31-02-1990", "29-02-1990", "16-Foo-1990", "0000-00-00", "16-05-90"])(
    "%j is not one",
    (text) => {
      expect(readDate(text)).toBeUndefined();
    },
  );

  test("every date is read in each of the ways it is written", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1900-01-01"), max: new Date("2099-12-31"), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString().slice(0, 10);
          const [year, month, day] = iso.split("-");
          for (const text of [iso, `${day}-${month}-${year}`, `${day}/${month}/${year}`])
            expect(readDate(text)).toBe(iso);
        },
      ),
    );
  });
});
