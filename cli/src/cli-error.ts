/** Something to tell in one line, and what to do next. */
import { AuthenticationError, JaraApiError, JaraConnectionError, JaraError, JaraStillWaitingError } from "@jara/sdk";
import { type ExitCode, exitCodes } from "./exit-codes.ts";

export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface Told {
  readonly exitCode: ExitCode;
  /** The first says what is wrong, the others what to do. */
  readonly lines: readonly string[];
}

/** How an error is told. Undefined for a defect, which is shown as it is. */
export function tell(error: unknown): Told | undefined {
  if (error instanceof CliError) return { exitCode: error.exitCode, lines: [error.message] };
  if (error instanceof JaraApiError) return tellRefusal(error);
  if (error instanceof JaraConnectionError) return tellUnreachable(error);
  if (error instanceof JaraStillWaitingError) return { exitCode: exitCodes.late, lines: [error.message] };
  if (error instanceof JaraError) return { exitCode: exitCodes.usage, lines: [error.message] };
  return undefined;
}

function tellRefusal(error: JaraApiError): Told {
  const isKey = error instanceof AuthenticationError;
  const fields = error.fields.map(({ field, message }) => `  ${field} ${message}`);
  const request = error.requestId === null ? [] : [`  ${error.code}, request ${error.requestId}`];
  const help = error.docsUrl === null ? [] : [`  ${error.docsUrl}`];
  const lines = [error.message, ...fields, ...request, ...help];
  return { exitCode: isKey ? exitCodes.key : exitCodes.refused, lines };
}

function tellUnreachable(error: JaraConnectionError): Told {
  if (isRefusedConnection(error.cause)) {
    const message = "No Jara server replies there. Start one with npm start, or name yours with --base-url.";
    return { exitCode: exitCodes.unreachable, lines: [message] };
  }
  const exitCode = error.operation.startsWith("GET ") ? exitCodes.unreachable : exitCodes.unknown;
  return { exitCode, lines: [error.message] };
}

/** Nothing has left this machine. */
function isRefusedConnection(cause: unknown): boolean {
  const codes = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (codes.includes(String((error as { code?: unknown }).code))) return true;
    if (error instanceof AggregateError && error.errors.some(isRefusedConnection)) return true;
  }
  return false;
}
