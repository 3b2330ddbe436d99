/**
 * Holds every reply of every test against the OpenAPI document: its status, body and headers must be declared for the
 * operation, and nothing may be in the body that the document does not name. What our own pages call is not in the
 * served document, but is described in the same way and checked in the same way.
 */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { afterAll } from "vitest";
import { signInPath } from "../../src/console/sign-in.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { type JaraHouse, house as ourHouse } from "../../src/start/slices.ts";
import { listenIn } from "./listen-in.ts";
import { createReplyBook, type ReplyBook, type SentReply } from "./reply-book.ts";
import { createSeenReplies, type SeenReplies } from "./seen-replies.ts";

interface Served {
  readonly house: JaraHouse;
  routes(): readonly Route[];
  /** Of the test alone. */
  readonly extra: readonly Route[];
}

/** Refuses undeclared replies: those of `inject` where it is called, those over a socket when the file's tests are over. */
export function refuseUndeclaredReplies(app: FastifyInstance, { house, routes, extra }: Served): void {
  const own = (served: readonly Route[]) =>
    rememberSeen(createReplyBook(served, house.problems), createSeenReplies([]));
  const books = [
    house === ourHouse ? standardBook(routes) : own(routes()),
    ...(extra.length === 0 ? [] : [own(extra)]),
  ];
  const faultsOf = (reply: SentReply): string[] => {
    if (providersDoors.test(reply.url) || reply.url.startsWith(`${signInPath}/`)) return [];
    const book = books.find((candidate) => candidate.knows(reply)) ?? books[0];
    return book?.faultsOf(reply) ?? [];
  };
  checkInjected(app, faultsOf);
  const found = collectServed(app, faultsOf);
  afterAll(() => {
    if (found.size > 0) throw new Error([...found].join("\n\n"));
  });
}

/** Where providers call us, and people sign in, in the words of others: no integrator and no operator reads of it in a document. */
const providersDoors = /^\/rails\/[^/]+\/(hook|approval)$/;

let standard: ReplyBook | undefined;

/** The routes of every app are the same, so what was compiled for one serves all test files of a worker. */
export function standardBook(routes: () => readonly Route[]): ReplyBook {
  standard ??= rememberSeen(createReplyBook(routes(), ourHouse.problems), createSeenReplies(routes()));
  return standard;
}

function rememberSeen(book: ReplyBook, seen: SeenReplies): ReplyBook {
  return {
    ...book,
    faultsOf: (reply) => {
      const { route, code } = book.originOf(reply);
      seen.note(route, code ?? reply.status);
      return book.faultsOf(reply);
    },
  };
}

function checkInjected(app: FastifyInstance, faultsOf: (reply: SentReply) => string[]): void {
  const inject = app.inject.bind(app) as (options: unknown) => Promise<LightMyRequestResponse>;
  const checked = async (options: unknown): Promise<LightMyRequestResponse> => {
    const reply = await inject(options);
    const {
      method = "GET",
      url: routed = "",
      originalUrl: url = routed,
    } = reply.raw.req as IncomingMessage & {
      readonly originalUrl?: string;
    };
    const faults = faultsOf({ method, url, status: reply.statusCode, headers: reply.headers, body: reply.payload });
    if (faults.length > 0) throw new Error(faults.join("\n\n"));
    return reply;
  };
  Object.assign(app, { inject: checked });
}

function collectServed(app: FastifyInstance, faultsOf: (reply: SentReply) => string[]): Set<string> {
  const found = new Set<string>();
  listenIn(app.server, (reply) => {
    for (const fault of faultsOf(reply)) found.add(fault);
  });
  return found;
}
