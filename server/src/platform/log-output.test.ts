/** A reader that stalls costs log lines, and never a request. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { withoutWaiting } from "./logger.ts";

/** Takes nothing until it is told to. */
function stalled(): { pipe: Writable; goOn: () => string[] } {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  let going = false;
  const pipe = new Writable({
    decodeStrings: false,
    write(line: string, _, done) {
      taken.push(line);
      if (going) done();
      else waiting.push(done);
    },
  });
  return {
    pipe,
    goOn() {
      going = true;
      for (const done of waiting.splice(0)) done();
      return taken;
    },
  };
}

describe("a pipe whose reader stalls", () => {
  test("keeps lines up to a bound, and says how many it dropped once the reader goes on", async () => {
    const { pipe, goOn } = stalled();
    const output = withoutWaiting(pipe);
    const line = `${"x".repeat(1024 * 1024 - 1)}\n`;
    for (let count = 0; count < 7; count += 1) output.write(line);
    expect(pipe.writableLength).toBe(4 * line.length);
    const taken = goOn();
    await expect.poll(() => pipe.writableLength).toBe(0);
    output.write("again\n");
    await expect.poll(() => taken.at(-1)).toBe("again\n");
    expect(taken).toHaveLength(6);
    expect(JSON.parse(taken.at(-2) ?? "")).toMatchObject({ level: "warn", dropped: 3 });
  });

  test("does not end the process when it goes away", () => {
    const { pipe } = stalled();
    const output = withoutWaiting(pipe);
    pipe.destroy(new Error("EPIPE"));
    expect(() => output.write("nobody reads this\n")).not.toThrow();
  });
});

test("a process whose output nobody reads goes on serving", async () => {
  const program = `
    import { createLogger } from ${JSON.stringify(import.meta.resolve("./logger.ts"))};
    const log = createLogger({ level: "info" });
    for (let count = 0; count < 500; count += 1) log.info({ note: "n".repeat(1000) }, "a line");
    process.stderr.write("still here");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Nobody listens to child.stdout, and half a megabyte is more than a pipe holds.
  const [said] = await once(child.stderr.setEncoding("utf8"), "data");
  expect(said).toBe("still here");
  child.kill("SIGKILL");
});
