import { traceWith } from "../platform/tracing.ts";
import type { Config } from "./config.ts";

/**
 * The SDK is loaded only for those who name a collector: a start should not take longer for what it does not do.
 * Returns what ends it, after everything else has: the last spans are sent then.
 */
export async function openTracing({ tracing }: Pick<Config, "tracing">, version: string): Promise<() => Promise<void>> {
  if (tracing === undefined) return async () => undefined;
  const { startTracing } = await import("../platform/tracing-sdk.ts");
  const opened = startTracing({ version, ...tracing });
  traceWith(opened);
  return async () => {
    traceWith(undefined);
    await opened.stop();
  };
}
