/** Files that a real archive run wrote, read by the command without any server. */
import { appendFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../server/testing/app.ts";
import { createArchiveFolder, createPast } from "../../server/testing/archives/archiving.ts";
import { createJara } from "./jara-process.ts";

const app = await createTestApp();
const folder = await createArchiveFolder(app);
const past = await createPast(app);
const march = await past.log(3);
const baseUrl = await app.app.listen({ port: 0, host: "127.0.0.1" });
const listener = createJara({ JARA_BASE_URL: baseUrl, JARA_SECRET_KEY: past.key });
await listen("--from-start", march[2] ?? "");
await past.advance({ days: 30 });
const [april = ""] = await past.log(1);
await past.advance({ days: 30 });
const [may = ""] = await past.log(1);
await past.comeBack();
while ((await folder.run()) > 0);

/** Until this is said; then Ctrl-C. */
async function listen(option: string, ...said: string[]): Promise<void> {
  const running = listener.start("listen", "--json", ...(option === "" ? [] : [option]));
  for (const text of said) await running.says(text);
  running.child.kill("SIGINT");
  await running.ended();
}

const jara = createJara({ JARA_ARCHIVE_FOLDER: folder.path });
const idsIn = (out: string) =>
  out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).id);

test("list shows every file", async () => {
  const { code, out, err } = await jara.run("archive", "list", "--verify");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(new RegExp(`${past.environmentId}\\s+SANDBOX\\s+2024-03\\s+3 `));
  const listed = JSON.parse((await jara.run("archive", "list", "--json")).out);
  expect(listed.map(({ month }: { month: string }) => month)).toEqual(["2024-03", "2024-04", "2024-05"]);
});

describe("read", () => {
  test.each([
    ["everything, in its order", [], [...march, april, may]],
    ["a span", ["--from", "2024-03-11", "--to", "2024-05-01"], [april]],
    ["one event", ["--id", april], [april]],
    ["one kind", ["--event", "transfer.completed"], []],
    ["one environment", ["--environment", past.environmentId, "--to", "2024-03-11T00:00:00Z"], march],
    ["another environment", ["--environment", crypto.randomUUID()], []],
  ])("prints %s as stored", async (_, words, ids) => {
    const { code, out, err } = await jara.run("archive", "read", "--json", ...words);
    expect({ code, err, ids: idsIn(out) }).toEqual({ code: 0, err: "", ids });
  });

  test("prints the very lines of the files", async () => {
    const { out } = await jara.run("archive", "read", "--json");
    const filed = await folder.filed(past.environmentId);
    expect(out).toBe(filed.map(({ line }) => `${line}\n`).join(""));
  });

  test("finds the events of a record, and says them in words", async () => {
    const [filed] = await folder.filed(past.environmentId);
    const { resourceId } = JSON.parse(filed?.line ?? "");
    const { out } = await jara.run("archive", "read", "--id", resourceId);
    expect(out).toMatch(
      new RegExp(`^10 Mar 2024, 10:00:00 {2}wallet.credited {2}${march[0]} .*sent to no endpoint\n$`),
    );
    expect((await jara.run("archive", "read", "--id", crypto.randomUUID())).err).toBe("No archived event fits.\n");
  });
});

test("jara listen, which was away for so long, says so and goes on with what is online", async () => {
  const [now = ""] = await past.log();
  await listen("", "What came next is in the archive (jara archive read). Going on with what is online.", now);
});

describe("a command line", () => {
  const lost = createJara({});

  test.each([
    ["without a folder", ["read"], "Say where the archive is: --folder, or JARA_ARCHIVE_FOLDER.\n"],
    [
      "with a folder that is not there",
      ["list", "--folder", "/no/such"],
      "There is no folder /no/such. Name the server's JARA_ARCHIVE_FOLDER.\n",
    ],
  ])("%s is refused", async (_, words, err) => {
    expect(await lost.run("archive", ...words)).toEqual({ code: 2, out: "", err });
  });

  test("with a time that is none is refused", async () => {
    expect(await jara.run("archive", "read", "--from", "yesterday")).toMatchObject({ code: 2, out: "" });
  });

  test("finds an empty archive empty", async () => {
    const { code, out } = await jara.run("archive", "list", "--folder", jara.home);
    expect({ code, out }).toEqual({ code: 0, out: "The archive is empty.\n" });
  });
});

/** They spoil the folder, one after the other. */
describe("what is wrong is named with the next step, and the rest is read", () => {
  const stemOf = (month: string) => {
    const place = join(folder.path, past.environmentId, month);
    return join(
      place,
      readdirSync(place)
        .find((name) => name.endsWith(".json"))
        ?.replace(/\.json$/, "") ?? "",
    );
  };
  const cure = "Bring it back from a backup of the archive folder.";

  test("a file that was changed", async () => {
    const file = `${stemOf("2024-05")}.ndjson.gz`;
    appendFileSync(file, "x");
    const { code, out, err } = await jara.run("archive", "read", "--json");
    expect({ code, ids: idsIn(out) }).toEqual({ code: 9, ids: [...march, april] });
    expect(err).toBe(`${file} is damaged: it is not what was written. ${cure}\n`);
    expect(await jara.run("archive", "list")).toMatchObject({ code: 9, err });
    expect(await jara.run("archive", "read", "--id", may)).toEqual({
      code: 9,
      out: "",
      err: `No event fits in the files that can be read. What the others have is not known:\n${err}`,
    });
  });

  test("a manifest that is not JSON, and events that are nowhere", async () => {
    const file = `${stemOf("2024-04")}.json`;
    writeFileSync(file, "{");
    const { code, err } = await jara.run("archive", "list");
    expect(code).toBe(9);
    expect(err).toContain(`${file} is damaged: it is not JSON. ${cure}\n`);
    expect(err).toContain(`Events 4 to 4 of ${past.environmentId} are missing. ${cure}\n`);
  });

  test("a file without its manifest, and a manifest without its file", async () => {
    const [first, second] = [stemOf("2024-04"), stemOf("2024-03")];
    rmSync(`${first}.json`);
    rmSync(`${second}.ndjson.gz`);
    const { err } = await jara.run("archive", "list");
    expect(err).toContain(`${first}.json is missing. ${cure} If there never was one, its events are online.\n`);
    expect(err).toContain(`${second}.ndjson.gz is missing. ${cure}\n`);
  });

  test("a file that is newer than this command", async () => {
    const stem = stemOf("2024-05");
    writeFileSync(`${stem}.json`, JSON.stringify({ version: 2 }));
    expect((await jara.run("archive", "list")).err).toContain(
      `${stem}.ndjson.gz is of version 2. Read it with a newer`,
    );
  });
});
