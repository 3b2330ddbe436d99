import { expect, test } from "vitest";
import { chooseMediaType, jsonType } from "./register-routes.ts";

const offered = [jsonType, "text/csv"];

test.each([
  [undefined, jsonType],
  ["", undefined],
  ["*/*", jsonType],
  ["text/csv", "text/csv"],
  ["TEXT/CSV", "text/csv"],
  ["text/csv; header=present", "text/csv"],
  ["text/*", "text/csv"],
  ["application/json, text/csv", jsonType],
  ["application/json;q=0.5, text/csv", "text/csv"],
  ["text/csv;q=0.1, */*;q=0.5", jsonType],
  ["text/csv;q=0, */*", jsonType],
  ["text/html, application/xhtml+xml, */*;q=0.8", jsonType],
  ["text/csv;q=rubbish", "text/csv"],
  ["text/html", undefined],
  ["application/json;q=0", undefined],
])("Accept: %s chooses %s", (accept, chosen) => {
  const choose = () => chooseMediaType(accept, offered);
  if (chosen === undefined) expect(choose).toThrow(expect.objectContaining({ code: "not_acceptable", status: 406 }));
  else expect(choose()).toBe(chosen);
});
