import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commonProblem, commonProblems, messageOf, Problem, problemsFrom } from "../../problem.ts";
import { escapeHtml } from "../escape-html.ts";
import { bearerToken } from "../guard/guard.ts";
import { answerClientError, nameRequest, translateError } from "./server.ts";

describe("a bearer", () => {
  test.each([
    ["Bearer abc", "abc"],
    ["bearer abc", "abc"],
    ["BEARER   abc  ", "abc"],
  ])("%j is %j", (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  test.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "abc",
    "Basic abc",
    "Bearer a b",
    " Bearer abc",
    "Bearer abc\n",
    "Bearerabc",
  ])("is not %j", (header) => {
    expect(bearerToken(header)).toBeUndefined();
  });
});

describe("the name of a request", () => {
  test.each(["order-42", "a", "0af7651916cd43dd8448eb211c80319c", "a.b:c_d-e", "x".repeat(128)])(
    "is the caller's own %j where it is harmless",
    (given) => {
      expect(nameRequest(given)).toBe(given);
    },
  );

  test.each(["", "a b", "a\nb", "<script>", "ü", "x".repeat(129), 'a"b', "a;b", "a/b", undefined, ["a"]])(
    "is ours in place of %j",
    (given) => {
      expect(nameRequest(given)).toMatch(/^req_\w{13,}$/);
    },
  );

  test("is ours once only", () => {
    const names = Array.from({ length: 1_000 }, () => nameRequest());
    expect(new Set(names).size).toBe(1_000);
  });
});

describe("text as HTML shows it", () => {
  test("loses everything that a browser would run", () => {
    expect(escapeHtml(`<img src=x onerror='a("b")'>&`)).toBe(
      "&lt;img src=x onerror=&#39;a(&quot;b&quot;)&#39;&gt;&amp;",
    );
  });

  test("can neither open a tag nor leave an attribute, whatever it is", () => {
    const unit = fc.constantFrom("<", ">", "&", "'", '"', ";", "amp", "#39", "a", " ", "\0", "\u{1F600}");
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      }),
    );
  });
});

describe("what was thrown", () => {
  const fastify = (code: string, statusCode?: number) => Object.assign(new Error("inside"), { code, statusCode });

  test("stays what it is when it is a refusal", () => {
    const refusal = commonProblem("not_found");
    expect(translateError(refusal)).toBe(refusal);
  });

  test.each([
    ["FST_ERR_CTP_BODY_TOO_LARGE", 413, "body_too_large"],
    ["FST_ERR_CTP_INVALID_MEDIA_TYPE", 415, "unsupported_media_type"],
    ["FST_ERR_CTP_INVALID_JSON_BODY", 400, "invalid_json"],
    ["FST_ERR_CTP_EMPTY_JSON_BODY", 400, "invalid_json"],
    ["FST_ERR_NOT_FOUND", 404, "not_found"],
    ["FST_ERR_MAX_PARAM_LENGTH", 414, "not_found"],
    ["FST_ERR_SOMETHING_NEW", 431, "invalid_request"],
    ["FST_ERR_SOMETHING_NEW", 500, "internal"],
    ["FST_ERR_SOMETHING_NEW", undefined, "internal"],
  ])("by Fastify as %s with %s is %s", (code, status, problem) => {
    expect(translateError(fastify(code, status)).code).toBe(problem);
  });

  test.each([
    ["an error of ours", new Error("select * from customers where bvn = '22212345678'")],
    ["a type error", new TypeError("x is not a function")],
    ["an error with a stranger's code", fastify("ENOENT", 404)],
    ["a text", "a secret"],
    ["nothing", undefined],
    ["null", null],
    ["a record", { code: "FST_ERR_NOT_FOUND", statusCode: 404 }],
  ])("as %s is a fault of ours that tells nothing", (_, thrown) => {
    const problem = translateError(thrown);
    expect(problem).toMatchObject({ code: "internal", status: 500, data: null, errors: [] });
    expect(problem.message).toBe(messageOf(commonProblems.internal));
  });

  test("by a database that is away says that nothing was changed, and when to ask again", () => {
    const lost = Object.assign(new Error("connection terminated"), { code: "57P01" });
    expect(translateError(lost)).toMatchObject({ status: 503, code: "unavailable" });
    expect(Object.keys(translateError(lost).headers).map((name) => name.toLowerCase())).toContain("retry-after");
  });
});

describe("a refusal", () => {
  const problem = problemsFrom({ too_small: { status: 422, cause: "It is too small.", cure: "Send more." } });

  test("has its code, its status and its sentence from the catalogue", () => {
    expect(problem("too_small")).toBeInstanceOf(Problem);
    expect(problem("too_small")).toMatchObject({
      code: "too_small",
      status: 422,
      message: "It is too small. Send more.",
      errors: [],
      data: null,
      headers: {},
    });
  });

  test("takes another sentence where figures help", () => {
    const message = "It is 3. Send 5.";
    expect(problem("too_small", { message, data: { least: 5 } })).toMatchObject({ message, data: { least: 5 } });
  });

  test("of every endpoint tells what to do next, in whole sentences", () => {
    for (const { status, ...kind } of Object.values(commonProblems)) {
      expect(messageOf(kind)).toMatch(/^[A-Z].*\.$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
    }
  });
});

describe("what never became a request", () => {
  /** As much of a socket as is looked at. */
  function socketOf(state: { destroyed?: boolean; writable?: boolean } = {}) {
    const written: string[] = [];
    const socket = Object.assign(new EventEmitter(), {
      destroyed: false,
      writable: true,
      ...state,
      end: (text: string) => written.push(text),
      destroy: () => written.push("destroyed"),
    }) as unknown as Socket;
    return { socket, written };
  }
  const answered = (code: string | undefined, state = {}) => {
    const { socket, written } = socketOf(state);
    answerClientError(
      Object.assign(new Error("inside"), code === undefined ? {} : { code }),
      socket,
      "https://jara.test",
    );
    return written;
  };

  test.each([
    ["HPE_HEADER_OVERFLOW", 431],
    ["ERR_HTTP_REQUEST_TIMEOUT", 408],
    ["HPE_INVALID_METHOD", 400],
    [undefined, 400],
  ])("%s gets a whole reply with %i, and the line is closed", (code, status) => {
    const [reply = ""] = answered(code);
    const [head = "", body = ""] = reply.split("\r\n\r\n");
    expect(head.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expect(head).toContain("Connection: close");
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
    expect(JSON.parse(body)).toMatchObject({ status: false, data: null });
    expect(body).not.toContain("inside");
  });

  test.each([
    ["the other side is gone", "ECONNRESET", {}],
    ["the line is closed already", "HPE_INVALID_METHOD", { destroyed: true }],
    ["a reply is on its way", "HPE_INVALID_METHOD", { writable: false }],
  ])("gets nothing where %s", (_, code, state) => {
    expect(answered(code, state)).toEqual(["destroyed"]);
  });
});
