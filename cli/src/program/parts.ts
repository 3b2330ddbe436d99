/** What the descriptions of commands share. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { type Action, run, type World, wholeNumber } from "../command.ts";

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}\n`;
}

export const limit = () =>
  new Option("--limit <number>", "at most this many").default(20).argParser((text) => {
    const wanted = wholeNumber(text);
    if (wanted >= 1 && wanted <= 10_000) return wanted;
    throw new InvalidArgumentError("A whole number from 1 to 10000.");
  });

interface Readers {
  readonly list: Action<{ readonly status?: string; readonly limit: number }>;
  readonly show: Action<object>;
}

interface Reading {
  readonly noun: string;
  /** A state that somebody looks for; undefined where there are no states. */
  readonly status?: string;
  readonly load: () => Promise<Readers>;
}

/** Every kind of record is listed and shown in the same way. */
export function addReaders(group: Command, world: World, { noun, status, load }: Reading): void {
  const list = group.command("list").description(`${noun}s, newest first`);
  if (status !== undefined) list.option("--status <status>", `only those in this state, such as ${status}`);
  const more = status === undefined ? [] : [`jara ${group.name()} list --status ${status} --json`];
  list
    .addOption(limit())
    .addHelpText("after", examples(`jara ${group.name()} list --limit 5`, ...more))
    .action(run(world, async () => (await load()).list));
  group
    .command("show")
    .argument("<id>", noun === "transfer" || noun === "bill" ? "its id, or your reference" : "its id")
    .description(`one ${noun}`)
    .addHelpText("after", examples(`jara ${group.name()} show 01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11`))
    .action(run(world, async () => (await load()).show));
}
