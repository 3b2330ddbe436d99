/**
 * Answers what never became a request: malformed HTTP, a flood of headers, a sender that stalls. There is no path to
 * tell the family by, so the general one answers.
 */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { commonProblem, type Problem } from "../problem.ts";
import { apiVersion, errorText } from "./envelope.ts";
import { helpLink } from "./help-link.ts";
import { httpProblem } from "./http-problems.ts";
import { nameRequest } from "./request-id.ts";

export function answerClientError(error: Error & { readonly code?: string }, socket: Socket, publicUrl: string): void {
  // The other side is gone, or a reply is already on its way: whatever we wrote now would only confuse it.
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const requestId = nameRequest();
  const body = errorText("general", problem, requestId);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? "Error"}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      `API-Version: ${apiVersion}`,
      `Link: ${helpLink(publicUrl, problem.code)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

function problemOf(code: string | undefined): Problem {
  if (code === "HPE_HEADER_OVERFLOW") return httpProblem("headers_too_large");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return httpProblem("request_timeout");
  return commonProblem("invalid_request");
}
