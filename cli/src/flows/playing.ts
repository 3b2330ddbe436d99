/** What every flow is played with: a sandbox, a mark for its references, and the sandbox's clock. */
import type { Clock, NewClockAdvance } from "@jara/sdk";
import type { Connection } from "../connection.ts";

export interface Playing {
  readonly jara: Connection["jara"];
  readonly baseUrl: string;
  /** For references that nobody has used. */
  readonly mark: string;
  readonly stopped: AbortSignal;
  /** Moves the sandbox's clock. */
  pass(span: NewClockAdvance): Promise<void>;
  /** Lets happen what a sandbox does by itself within seconds, where its clock stands still. */
  settle(): Promise<void>;
  /** Takes away what was only needed for the play. */
  afterwards(tidy: () => Promise<unknown>): void;
}

export interface Play {
  readonly playing: Playing;
  /** As it was before. */
  readonly clock: Clock;
  /** From when to when the clock was moved. */
  moved(): { readonly from: string; readonly to: string } | undefined;
  tidy(): Promise<void>;
}

const settleSeconds = 10;

export async function createPlay(
  { jara, baseUrl }: Pick<Connection, "jara" | "baseUrl">,
  { mark, stopped }: Pick<Playing, "mark" | "stopped">,
): Promise<Play> {
  const clock = await jara.sandbox.clock.get({ signal: stopped });
  const left: (() => Promise<unknown>)[] = [];
  let moved: ReturnType<Play["moved"]>;
  const pass = async (span: NewClockAdvance): Promise<void> => {
    const { from, to } = await jara.sandbox.clock.advance(span, { signal: stopped });
    moved = { from: moved?.from ?? from, to };
  };
  return {
    clock,
    playing: {
      jara,
      baseUrl,
      mark,
      stopped,
      pass,
      settle: async () => (clock.mode === "frozen" ? pass({ seconds: settleSeconds }) : undefined),
      afterwards: (tidy) => void left.unshift(tidy),
    },
    moved: () => moved,
    async tidy() {
      for (const work of left.splice(0)) await work();
    },
  };
}
