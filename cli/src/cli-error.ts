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
  return tellUnwritable(error);
}

/** A folder that somebody else owns, or a disk that is full, is no defect of ours. */
function tellUnwritable(error: unknown): Told | undefined {
  const { code, path } = (error ?? {}) as { readonly code?: unknown; readonly path?: unknown };
  if (typeof path !== "string" || !["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR"].includes(String(code))) return;
  const cure = "Set JARA_HOME to a folder that you may write to.";
  return { exitCode: exitCodes.unexpected, lines: [`${path} cannot be used (${code}). ${cure}`] };
}

function tellRefusal(error: JaraApiError): Told {
  const isKey = error instanceof AuthenticationError;
  const fields = [
    ...error.fields.map(({ field, message }) => `  ${field} ${message}`),
    ...(error.is("reference_conflict") ? differencesOf(error.data) : []),
  ];
  const request = error.requestId === null ? [] : [`  ${error.code}, request ${error.requestId}`];
  const help = error.docsUrl === null ? [] : [`  ${error.docsUrl}`];
  const lines = [error.summary, ...fields, ...request, ...help];
  return { exitCode: isKey ? exitCodes.key : exitCodes.refused, lines };
}

/** What was sent before under the same reference was something else. */
function differencesOf(data: unknown): string[] {
  const { fields } = (data ?? {}) as { readonly fields?: unknown };
  return Array.isArray(fields) && fields.length > 0 ? [`  It differs in ${fields.join(", ")}.`] : [];
}

function tellUnreachable(error: JaraConnectionError): Told {
  const { origin, operation } = error;
  if (hasNotLeft(error)) {
    const message = `No Jara server replies at ${origin}. Start one with npm start, or name yours with --base-url.`;
    return { exitCode: exitCodes.unreachable, lines: [message] };
  }
  if (operation.startsWith("GET ")) return { exitCode: exitCodes.unreachable, lines: [error.message] };
  const message = `The reply of ${origin ?? "the server"} was lost: it may have happened.`;
  return { exitCode: exitCodes.unknown, lines: [message, "  Look for it before you send it again: jara search …"] };
}

/** Nothing has left this machine, in none of the tries. A timeout tells nothing of the kind. */
export function hasNotLeft({ causes, attempts }: JaraConnectionError): boolean {
  return causes.length === attempts && causes.every(isRefusedConnection);
}

export function isRefusedConnection(cause: unknown): boolean {
  const codes = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (codes.includes(String((error as { code?: unknown }).code))) return true;
    if (error instanceof AggregateError && error.errors.some(isRefusedConnection)) return true;
  }
  return false;
}
