import { describe, expect, test } from "vitest";
import { namesMatch } from "./name-match.ts";

describe("names of account holders", () => {
  test.each([
    ["Adaeze Okafor", "ADAEZE OKAFOR"],
    ["Okafor Adaeze", "Adaeze Okafor"],
    ["Mr. Chinedu Eze", "EZE CHINEDU"],
    ["Chief (Mrs) Ngozi Bello", "BELLO NGOZI"],
    ["Adaeze Okafor", "OKAFOR ADAEZE NGOZI"],
    ["Adaeze Ngozi Okafor", "OKAFOR ADAEZE"],
    ["Ṣọlá Adéyẹmí", "SOLA ADEYEMI"],
    ["Jean-Paul O'Neil", "ONEIL JEAN PAUL"],
    ["Jara Foods Limited", "JARA FOODS LTD"],
    ["Jumia", "JUMIA"],
    ["Jara Foods", "JARA FOODS LTD"],
    ["Okafor & Sons", "OKAFOR AND SONS (NIG) LIMITED"],
    ["Jara Foods Nigeria Limited", "JARA FOODS (NIG) LTD"],
    ["Okafor & Sons Enterprises", "OKAFOR AND SONS ENT"],
    ["Foods Jara Ltd", "JARA FOODS LIMITED"],
    ["The Corner Shop", "CORNER SHOP"],
    ["Grace Foodson Obi", "OBI GRACE"],
  ])("%s is %s", (expected, actual) => {
    expect(namesMatch(expected, actual)).toBe(true);
    expect(namesMatch(actual, expected)).toBe(true);
  });

  test.each([
    ["Adaeze Okafor", "ADAEZE OKORO"],
    ["Okafor", "OKAFOR ADAEZE"],
    ["Ada Ada", "ADA OBI"],
    ["Mr", "OKAFOR ADAEZE"],
    ["", "OKAFOR ADAEZE"],
    ["Adaeze Chioma Okafor", "OKAFOR ADAEZE NGOZI"],
    ["Adaeze Okafor", "ADAEZE OKAFOR FOODS LTD"],
    ["Adaeze Okafor", "ADAEZE OKAFOR ENTERPRISES"],
    ["Chinedu Eze", "CHINEDU EZE VENTURES (NIG)"],
    ["Chinedu Eze", "EZE & SONS CHINEDU"],
    ["Adaeze Okafor", "ADAEZE OKAFOR LTD"],
    ["Okafor Foods Ltd", "OKAFOR ADAEZE FOODS LTD"],
    ["Jara Foods Ltd", "JARA FARMS LTD"],
    ["Jara", "JARA LTD"],
    ["The", "AND"],
  ])("%s is not %s", (expected, actual) => {
    expect(namesMatch(expected, actual)).toBe(false);
    expect(namesMatch(actual, expected)).toBe(false);
  });
});
