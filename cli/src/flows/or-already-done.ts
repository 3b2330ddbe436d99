/** For what a sandbox also does by itself: on a busy machine it can be first, and that is as good. */
import { JaraApiError } from "@jara/sdk";

export async function orAlreadyDone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof JaraApiError && error.code === "invalid_state")) throw error;
  });
}
