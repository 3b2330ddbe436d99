import { expect, test } from "vitest";
import { blocksOf, documents } from "./fenced-blocks.ts";

const blocks = documents.flatMap(blocksOf);
const at = ({ page, line }: { page: string; line: number }) => `${page}:${line}`;

/** Examples that no test runs as they stand, each with the reason. Everything else is run. */
const byHand: Readonly<Record<string, string>> = {
  "npm start": "runs until it is stopped; tests/e2e starts servers in the same way",
  "git clone <this repository> jara": "needs a remote, runs until it is stopped, and all the tests; CI runs them",
  "npm run twins": "runs until it is stopped; tests/e2e/going-live.campaign.ts starts the twins",
  "JARA_LENDER_NAME=": "runs until it is stopped; tests/e2e/going-live.campaign.ts starts a server with these settings",
  "JARA_HOME=/srv/jara-new": "needs a folder of backups; tests/e2e/backup.campaign.ts restores from one",
  "useradd --system": "changes the machine; systemd checks the units in tests/document/systemd.test.ts",
  "docker build": "needs a container tool and a registry; tests/document/container.test.ts serves from what is copied",
  "release=": "changes the machine; tests/upgrade/run.ts plays an upgrade from a release to this tree",
  "npx jara listen": "runs until it is stopped, and asks a person; tests/cli runs every command",
  "import express":
    "needs express, which is not among our packages; tests/sdk/readme.campaign.ts runs it where npm can fetch it",
};

test("every fenced block says what it is, and so whether it is run", () => {
  expect(blocks.length).toBeGreaterThan(100);
  expect(blocks.filter(({ language }) => !["sh", "ts", "js", "json"].includes(language)).map(at)).toEqual([]);
  expect(blocks.filter(({ tag }) => tag !== "" && tag !== "by-hand").map(at)).toEqual([]);
});

test("only what cannot be run is left to a person", () => {
  const left = blocks.filter(({ tag }) => tag === "by-hand");
  const reasonOf = (text: string) => Object.keys(byHand).findLast((beginning) => text.startsWith(beginning));
  expect(left.filter(({ text }) => reasonOf(text) === undefined).map(at)).toEqual([]);
  expect(new Set(left.map(({ text }) => reasonOf(text)))).toEqual(new Set(Object.keys(byHand)));
});

test("samples of JSON are JSON", () => {
  const broken = blocks.filter(({ language, text }) => {
    if (language !== "json") return false;
    try {
      JSON.parse(text);
      return false;
    } catch {
      return true;
    }
  });
  expect(broken.map(at)).toEqual([]);
});
