/** What every command is given. */
import type { Command } from "commander";
import type { Connection, ConnectionOptions } from "./connection.ts";
import type { Surroundings } from "./home.ts";
import type { Operator } from "./operator.ts";
import type { Screen } from "./screen.ts";

export interface World extends Surroundings {
  screen(options: { readonly json?: boolean | undefined }): Promise<Screen>;
  /** Aborted by Ctrl-C: what runs for long ends in order. */
  readonly stopped: AbortSignal;
  readonly input: {
    readonly isTTY?: boolean;
    /** All of standard input, for a command that was told to read it. */
    read(): Promise<string>;
  };
}

export interface Given extends Surroundings, Pick<World, "stopped" | "input"> {
  readonly screen: Screen;
  /** Finds server and key, once they are needed. Ctrl-C ends every call. */
  connect(): Connection;
  /** The same for what has to tidy up after Ctrl-C. */
  connectForGood(): Connection;
  /** Where the server is, with a key or without. */
  readonly address: string;
  /** The same for what only operators may do. */
  operate(): Operator;
}

interface CommonOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** A command loads its code when it is called: the others cost nothing then. */
export type Action<Options> = (given: Given, options: Options, ...words: string[]) => Promise<void>;

export function run<Options>(world: World, load: () => Promise<Action<Options>>) {
  return async (...passed: unknown[]): Promise<void> => {
    const command = passed.at(-1) as Command;
    const options = command.optsWithGlobals<Options & CommonOptions>();
    // What may be several words comes as a list of them.
    const words = passed
      .slice(0, -2)
      .flat()
      .filter((word): word is string => typeof word === "string");
    const [action, { connect, addressOf }, { connectOperator }] = await Promise.all([
      load(),
      import("./connection.ts"),
      import("./operator.ts"),
    ]);
    const { env, directory, stopped, input } = world;
    const given: Given = {
      env,
      directory,
      stopped,
      input,
      screen: await world.screen(options),
      connect: () => connect(options, world, stopped),
      connectForGood: () => connect(options, world),
      operate: () => connectOperator(options, world),
      get address() {
        return addressOf(options, world);
      },
    };
    await action(given, options, ...words);
  };
}

/** A whole number from an option. */
export function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}
