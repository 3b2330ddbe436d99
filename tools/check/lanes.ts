/** Runs steps side by side without mixing what they print. */
import type { Step } from "./steps.ts";

type Print = (text: string) => void;

/** Runs one step, which prints as it goes. */
type RunStep = (step: Step, print: Print) => Promise<void>;

/**
 * The lanes run at the same time, the steps of a lane one after the other. What the first lane prints is shown as it
 * comes; of the others each step's words are kept together, and shown when the first lane has nothing more to say.
 */
export async function runLanes(lanes: readonly (readonly Step[])[], run: RunStep, print: Print): Promise<void> {
  const [first = [], ...others] = lanes;
  const held: string[] = [];
  let isFree = false;
  const aloud = async (): Promise<void> => {
    for (const step of first) await run(step, print);
    isFree = true;
    for (const words of held) print(words);
  };
  const aside = async (lane: readonly Step[]): Promise<void> => {
    for (const step of lane) {
      let words = "";
      await run(step, (text) => {
        words += text;
      });
      if (isFree) print(words);
      else held.push(words);
    }
  };
  await Promise.all([aloud(), ...others.map(aside)]);
}
