/** What makes a shell complete jara's commands: written from the commands themselves, so that none is forgotten. */
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { Given } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";

/** The words after which something can follow, and what. */
interface Step {
  readonly words: readonly string[];
  readonly next: readonly string[];
  /** Options that the next word belongs to. */
  readonly valued: readonly string[];
}

function stepsOf(command: Command, words: readonly string[] = []): Step[] {
  const known = command.options.filter(({ long }) => typeof long === "string");
  const namesOf = (options: typeof known): string[] => options.map(({ long }) => String(long));
  const next = [...command.commands.map((one) => one.name()), ...namesOf(known)];
  const valued = namesOf(known.filter((option) => option.required || option.optional));
  return [{ words, next, valued }, ...command.commands.flatMap((one) => stepsOf(one, [...words, one.name()]))];
}

const shells = { bash, zsh, fish } as const;

export async function completion({ screen }: Given, program: Command, shell: string): Promise<void> {
  const write = Object.hasOwn(shells, shell) ? shells[shell as keyof typeof shells] : undefined;
  if (write === undefined) throw new CliError(exitCodes.usage, `"${shell}" is not one of bash, zsh and fish.`);
  screen.line(write(stepsOf(program)));
}

function bash(steps: readonly Step[]): string {
  const cases = steps.map(({ words, next }) => `    "${words.join(" ")}") words="${next.join(" ")}" ;;`);
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
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _jara jara`;
}

/** Not bash's by way of bashcompinit: zsh reads bash's slices of arrays otherwise. */
function zsh(steps: readonly Step[]): string {
  const cases = steps.map(({ words, next }) => `    "${words.join(" ")}") next=(${next.join(" ")}) ;;`);
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
  compadd -- $next
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _jara jara`;
}

function fish(steps: readonly Step[]): string {
  const lines = steps.flatMap(({ words, next }) => {
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const when = seen.length === 0 ? "__fish_use_subcommand" : seen.join("; and ");
    return next.map((word) =>
      word.startsWith("--")
        ? `complete -c jara -n "${when}" -l ${word.slice(2)}`
        : `complete -c jara -f -n "${when}" -a ${word}`,
    );
  });
  return lines.join("\n");
}
