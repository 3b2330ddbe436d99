/** What makes a shell complete jara's commands: written from the commands themselves, so that none is forgotten. */
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { eventNames } from "../trigger/event-names.ts";
import { flows } from "../trigger/flows.ts";

/** The words after which something can follow, and what. */
interface Step {
  readonly words: readonly string[];
  readonly next: readonly string[];
  /** Options that the next word belongs to. */
  readonly valued: readonly string[];
  /** What such an option may be, where that is known. */
  readonly values: readonly (readonly [option: string, words: readonly string[]])[];
}

const shellNames = ["bash", "zsh", "fish"] as const;
const transferStates = ["pending", "processing", "completed", "failed", "reversed"];
const loanStates = ["pending", "approved", "active", "overdue", "completed", "rejected", "cancelled", "written_off"];
const billStates = ["pending", "processing", "successful", "failed", "reversed"];

/** What follows a command or an option of it, where only some words can. */
const known: Readonly<Record<string, readonly string[]>> = {
  trigger: Object.keys(flows),
  completion: shellNames,
  "listen --events": eventNames,
  "events list --event": eventNames,
  "events resend --event": eventNames,
  "transfers list --status": transferStates,
  "bills list --status": billStates,
  "loans list --status": loanStates,
  "logs tail --status": ["2xx", "3xx", "4xx", "5xx"],
  "logs tail --method": ["GET", "POST", "PUT", "PATCH", "DELETE"],
};

function stepsOf(command: Command, words: readonly string[] = []): Step[] {
  const options = command.options.filter(({ long }) => typeof long === "string");
  const namesOf = (some: typeof options): string[] => some.map(({ long }) => String(long));
  const path = words.join(" ");
  const next = [...command.commands.map((one) => one.name()), ...(known[path] ?? []), ...namesOf(options)];
  const valued = namesOf(options.filter((option) => option.required || option.optional));
  const values = valued.flatMap((option) => {
    const possible = known[`${path} ${option}`];
    return possible === undefined ? [] : [[option, possible] as const];
  });
  return [{ words, next, valued, values }, ...command.commands.flatMap((one) => stepsOf(one, [...words, one.name()]))];
}

const shells = { bash, zsh, fish } as const satisfies Record<(typeof shellNames)[number], unknown>;

export async function completion({ screen }: Given, program: Command, shell: string): Promise<void> {
  const write = Object.hasOwn(shells, shell) ? shells[shell as keyof typeof shells] : undefined;
  if (write === undefined) throw new CliError(exitCodes.usage, `"${shell}" is not one of bash, zsh and fish.`);
  screen.line(write(stepsOf(program)));
}

function bash(steps: readonly Step[]): string {
  const cases = steps.map(({ words, next }) => `    "${words.join(" ")}") words="${next.join(" ")}" ;;`);
  const values = valuesOf(steps).map(([at, possible]) => `    "${at}") words="${possible.join(" ")}" ;;`);
  const valued = [...new Set(steps.flatMap((step) => step.valued))];
  return `_jara() {
  local typed=() word words="" before="" valued=" ${valued.join(" ")} "
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word != -* && $valued != *" $before "* ]] && typed+=("$word")
    before=$word
  done
  case "\${typed[*]}" in
${cases.join("\n")}
  esac
  case "\${typed[*]} $before" in
${values.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _jara jara`;
}

/** Not bash's by way of bashcompinit: zsh reads bash's slices of arrays otherwise. */
function zsh(steps: readonly Step[]): string {
  const cases = steps.map(({ words, next }) => `    "${words.join(" ")}") next=(${next.join(" ")}) ;;`);
  const values = valuesOf(steps).map(([at, possible]) => `    "${at}") next=(${possible.join(" ")}) ;;`);
  const valued = [...new Set(steps.flatMap((step) => step.valued))];
  return `_jara() {
  local -a typed next
  local word before="" valued=" ${valued.join(" ")} "
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word != -* && $valued != *" $before "* ]] && typed+=("$word")
    before=$word
  done
  case "\${typed[*]}" in
${cases.join("\n")}
  esac
  case "\${typed[*]} $before" in
${values.join("\n")}
  esac
  compadd -- $next
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _jara jara`;
}

/** The words before an option, with the option, and what may follow. */
const valuesOf = (steps: readonly Step[]) =>
  steps.flatMap(({ words, values }) =>
    values.map(([option, possible]) => [[...words, option].join(" "), possible] as const),
  );

const fishValues = (possible: readonly string[] | undefined): string =>
  possible === undefined ? "" : ` -x -a "${possible.join(" ")}"`;

function fish(steps: readonly Step[]): string {
  const lines = steps.flatMap(({ words, next, values }) => {
    const possible = new Map(values);
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const when = seen.length === 0 ? "__fish_use_subcommand" : seen.join("; and ");
    return next.map((word) =>
      word.startsWith("--")
        ? `complete -c jara -n "${when}" -l ${word.slice(2)}${fishValues(possible.get(word))}`
        : `complete -c jara -f -n "${when}" -a ${word}`,
    );
  });
  return lines.join("\n");
}
