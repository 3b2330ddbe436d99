/** The sandbox's guide lists every input that chooses an outcome, and no input that does nothing. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxDigits } from "../../server/src/checkout/consent/code.ts";
import { listBanks } from "../../server/src/rails/bank-directory.ts";
import { testNumbers } from "../../server/src/sandbox/card/card-number.ts";
import * as magic from "../../server/src/sandbox/magic-inputs.ts";

const root = join(import.meta.dirname, "..", "..");
const guides = join(root, "docs", "guides");
const read = (path: string): string => readFileSync(path, "utf8");

/** Written as a person reads it: `_FAIL`, 4084 0840 8408 4081. */
const cardPattern = /\b\d{4}(?: \d{4}){2,3}(?: \d{1,4})?\b/g;
const spaced = (digits: string): string => digits.replaceAll(/(\d{4})(?=\d)/g, "$1 ");
const cards = Object.values(testNumbers).map(spaced);

/** The first column of the table, row by row. */
function documentedInputs(): string[] {
  const [, section = ""] = read(join(guides, "sandbox.md")).split("## Test inputs");
  const rows = section.split("\n## ")[0]?.matchAll(/^\| (?!input|---)(.+?) \|/gm) ?? [];
  return [...rows].flatMap(([, input = ""]) => [
    ...[...input.matchAll(/`([^`]+)`/g)].map(([, value = ""]) => value),
    ...[...input.matchAll(cardPattern)].map(([value]) => value),
  ]);
}

const simulatedBanks = listBanks("SANDBOX").filter(
  ({ nipCode }) => !listBanks("LIVE").some((bank) => bank.nipCode === nipCode),
);
const smartCard = "0000000000";

test("the guide lists what the code knows, and the code knows what the guide lists", () => {
  expect(smartCard).toMatch(magic.unknownSmartCard);
  const known = [
    ...magic.referenceEndings.map((ending) => `_${ending}`),
    magic.unknownAccount,
    smartCard,
    magic.unknownBettor,
    ...simulatedBanks.map(({ code }) => code),
    magic.foreignBvnEnding,
    ...Object.values(magic.playedBvns),
    magic.bankPageMail,
    magic.wrongCardCode,
    sandboxDigits,
    ...cards,
  ];
  const named = ["processing"];
  expect(
    documentedInputs()
      .filter((value) => !named.includes(value))
      .sort(),
  ).toEqual(known.sort());
});

test("the code knows no magic input that this test does not", () => {
  const listed = ["referenceEndings", "referenceEnding", "unknownAccount", "unknownSmartCard", "unknownBettor"];
  const further = ["wrongCardCode", "bankPageMail", "foreignBvnEnding", "playedBvns"];
  expect(Object.keys(magic).sort()).toEqual([...listed, ...further].sort());
});

test.each(readdirSync(guides))("%s names no card and no ending that the sandbox does not know", (name) => {
  const text = read(join(guides, name));
  expect([...text.matchAll(cardPattern)].map(([card]) => card).filter((card) => !cards.includes(card))).toEqual([]);
  const endings = [...text.matchAll(/`_([A-Z]+)`/g)].map(([, ending]) => ending);
  expect(endings.filter((ending) => !magic.referenceEndings.some((known) => known === ending))).toEqual([]);
});

test("the words for a card's outcome are those that the sandbox takes", () => {
  const { paths } = JSON.parse(read(join(root, "docs", "openapi.json")));
  const operation = paths["/sandbox/card-links/{linkId}/complete"].post;
  const taken = JSON.stringify(operation.requestBody).match(
    /"(linked|declined|declines_later|asks_holder|refunds_slowly)"/g,
  );
  const guide = read(join(guides, "sandbox.md"));
  for (const word of new Set(taken)) expect(guide).toContain(`\`${JSON.parse(word)}\``);
  expect(new Set(taken).size).toBe(cards.length);
});
