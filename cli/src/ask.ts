/** Asks at a terminal for what the options did not say. Without a terminal it says which options are missing. */
import { CliError } from "./cli-error.ts";
import type { Given } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

export interface Question<Name extends string> {
  /** As commander calls the option: `firstName` for `--first-name`. */
  readonly name: Name;
  readonly message: string;
  /** Takes away what people write besides: ₦ and the commas of 2,500. */
  read?(typed: string): string;
  /** Returns what is wrong with it. */
  check?(typed: string): string | undefined;
  /** One of these; given what was said before. */
  choices?(said: Readonly<Partial<Record<Name, string>>>): Promise<readonly Choice[]>;
}

type Said<Name extends string> = Readonly<Record<Name, string>>;

export interface Filled<Name extends string> {
  readonly said: Said<Name>;
  /** Whether somebody was asked, who can then be asked to confirm. */
  readonly wasAsked: boolean;
}

export async function fillIn<Name extends string>(
  given: Given,
  options: Readonly<Partial<Record<Name, string>>>,
  questions: readonly Question<Name>[],
): Promise<Filled<Name>> {
  const missing = questions.filter(({ name }) => options[name] === undefined);
  if (missing.length > 0) refuseWithoutTerminal(given, `Give ${listOf(missing.map(({ name }) => flagOf(name)))}`);
  const said: Partial<Record<Name, string>> = {};
  for (const question of questions) {
    const { name, read = (same: string) => same } = question;
    said[name] = read(options[name] ?? (await ask(question, said)));
  }
  return { said: said as Said<Name>, wasAsked: missing.length > 0 };
}

async function ask<Name extends string>(
  { message, read = (same: string) => same, check, choices }: Question<Name>,
  said: Readonly<Partial<Record<Name, string>>>,
): Promise<string> {
  const { autocomplete, text } = await import("@clack/prompts");
  if (choices !== undefined) {
    const options = [...(await choices(said))];
    // Enter is also taken where nothing matches what was typed; then nothing is chosen.
    for (;;) {
      const chosen: string | undefined = await answer(autocomplete({ message, options, filter: isMeant }));
      if (chosen !== undefined && chosen !== "") return chosen;
    }
  }
  return answer(text({ message, validate: (typed) => (check === undefined ? undefined : check(read(typed ?? ""))) }));
}

/** Whether letters mean a choice: a part of its name or code, the beginnings of its words, or their first letters. */
export function isMeant(typed: string, { label = "", hint = "", value }: Partial<Choice>): boolean {
  const sought = typed.trim().toLowerCase();
  const name = label.toLowerCase();
  if ([name, hint.toLowerCase(), value?.toLowerCase() ?? ""].some((text) => text.includes(sought))) return true;
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  if (
    words
      .map(([first]) => first)
      .join("")
      .startsWith(sought)
  )
    return true;
  let at = 0;
  return sought.split(/\s+/u).every((part) => {
    const found = words.findIndex((word, place) => place >= at && word.startsWith(part));
    at = found + 1;
    return found >= 0;
  });
}

/** Goes on after a yes only. */
export async function requireYes(given: Given, message: string): Promise<void> {
  refuseWithoutTerminal(given, "Add --yes to go on without being asked");
  const { confirm } = await import("@clack/prompts");
  if (!(await answer(confirm({ message, initialValue: false })))) throw nothingDone();
}

function nothingDone(): CliError {
  return new CliError(exitCodes.usage, "Nothing was done.");
}

function refuseWithoutTerminal({ screen, input }: Given, cure: string): void {
  if (screen.isTerminal && input.isTTY === true && !screen.isJson) return;
  throw new CliError(exitCodes.usage, `There is no terminal to ask at. ${cure}.`);
}

/** Without the symbol that stands for Ctrl-C. */
async function answer<T>(asked: Promise<T>): Promise<Exclude<T, symbol>> {
  const given = await asked;
  if (typeof given !== "symbol") return given as Exclude<T, symbol>;
  throw nothingDone();
}

function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** ₦2,500.50 is 2500.50. What cannot be read so stays as it was typed, for the server to refuse in words. */
export function readNaira(typed: string): string {
  const bare = typed.trim().replace(/^(?:₦|NGN)\s*/i, "");
  return /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(bare) ? bare.replaceAll(",", "") : bare;
}

const shapes = {
  account: [/^\d{10}$/, "Ten digits."],
  naira: [/^\d+(\.\d{1,2})?$/, "Such as 2500 or 2500.50."],
  whole: [/^[1-9]\d{0,3}$/, "A whole number."],
  eleven: [/^\d{11}$/, "Eleven digits."],
  phone: [/^\+?\d{11,13}$/, "Such as 08031234567."],
  some: [/\S/, "Say something."],
} as const;

/** What is looked at before it is sent; the server looks again. */
export function shape(kind: keyof typeof shapes): (typed: string) => string | undefined {
  const [form, says] = shapes[kind];
  return (typed) => (form.test(typed) ? undefined : says);
}
