/** What shells complete, in the shells themselves. Those that are not on the machine are skipped, and vitest says so. */
import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { eventually } from "../../server/testing/work.ts";
import { atTerminal, createJara, hasTerminal } from "./jara-process.ts";

const jara = createJara({});
const run = promisify(execFile);
const has = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

const typedAndMeant: [typed: string[], meant: string[]][] = [
  [["tr"], ["trace", "transfers", "trigger"]],
  [["bills", "e"], ["electricity"]],
  [["logs", "ta"], ["tail"]],
  [["logs", "tail", "--st"], ["--status"]],
  [["transfers", "list", "--st"], ["--status"]],
  [["transfers", "list", "--status", "failed", "--li"], ["--limit"]],
  [["--key", "sk_test_x", "wallets", "mo"], ["move"]],
  [["listen", "--forward-to", "http://localhost:3000/hooks", "--ev"], ["--events"]],
  [["trigger", "transfer.c"], ["transfer.completed"]],
  [["listen", "--events", "wallet.o"], ["wallet.opened"]],
  [["transfers", "list", "--status", "f"], ["failed"]],
  [["loans", "list", "--status", "w"], ["written_off"]],
  [["completion", "z"], ["zsh"]],
];

async function scriptFor(shell: string): Promise<string> {
  const { code, out } = await jara.run("completion", shell);
  expect(code).toBe(0);
  return out;
}

describe("bash", async () => {
  const script = await scriptFor("bash");

  test.each([...typedAndMeant, [["nothing", "x"], [""]] as const])("jara %s", async (typed, meant) => {
    const words = ["jara", ...typed].map((word) => `'${word}'`).join(" ");
    const lines = [script, `COMP_WORDS=(${words})`, `COMP_CWORD=${typed.length}`, "_jara", `echo "\${COMPREPLY[@]}"`];
    const { stdout } = await run("bash", ["-c", lines.join("\n")]);
    expect(stdout.trim().split(" ").sort()).toEqual(meant);
  });
});

describe.skipIf(!has("fish"))("fish", async () => {
  const file = join(jara.home, "jara.fish");
  writeFileSync(file, await scriptFor("fish"));

  test.each(typedAndMeant)("jara %s", async (typed, meant) => {
    const ask = `source ${file}; complete -C 'jara ${typed.join(" ")}'`;
    const { stdout } = await run("fish", ["--no-config", "-c", ask], { env: { ...process.env, HOME: jara.home } });
    expect(stdout.trim().split("\n").sort()).toEqual(meant);
  });
});

describe.skipIf(!(has("zsh") && hasTerminal))("zsh at a terminal", async () => {
  const file = join(jara.home, "jara.zsh");
  writeFileSync(file, await scriptFor("zsh"));

  test.each(typedAndMeant)("jara %s", async (typed, meant) => {
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: jara.home, ZDOTDIR: jara.home, TERM: "dumb" };
    const zsh = atTerminal("stty cols 200; exec zsh -f -i", { cwd: jara.home, env });
    let shown = "";
    zsh.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text;
    });
    try {
      zsh.stdin.write(`source ${file} && echo read''y\n`);
      await eventually("zsh has read the script", () => shown.includes("ready"));
      shown = "";
      zsh.stdin.write(`jara ${typed.join(" ")}\t`);
      const rest = meant.length === 1 ? [`${typed.slice(0, -1).join(" ")} ${meant[0]} `.trimStart()] : meant;
      await eventually(`zsh shows ${rest}`, () => rest.every((word) => plain(shown).includes(word)));
    } finally {
      zsh.kill("SIGKILL");
    }
  });
});

/** Without what moves the cursor: a completed word is drawn over what was typed. */
function plain(shown: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal is sent
  return shown.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]|\u0007|.\u0008/g, "");
}
