/**
 * Serves the pages that `web/` was built into. A build is a few hundred kilobytes, so it is read once, with its
 * compressed copies, and answered from memory: no path of a request ever reaches the file system. Assets have a hash in
 * their names and may be kept for ever; a page itself is asked for again each time, because it names the assets. Pages
 * that are the same for everybody have a tag, by which a browser learns that it has the newest already.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { commonProblem } from "../../problem.ts";
import { isKnownTag } from "./replies.ts";

export interface WebPage {
  /** As Fastify writes it: /checkout/:sessionId. */
  readonly path: string;
  /** Below the build: checkout/index.html. */
  readonly file: string;
  readonly contentSecurityPolicy: string;
  /** Says the same to everybody and holds no secret, so a browser may keep it. */
  readonly isPublic?: true;
}

export interface WebFile {
  readonly type: string;
  readonly tag: string;
  readonly plain: Buffer;
  readonly gzip: Buffer | undefined;
  readonly brotli: Buffer | undefined;
}

export type WebBuild = ReadonlyMap<string, WebFile>;

const [gzipped, brotlied] = [promisify(gzip), promisify(brotliCompress)];
/** Beyond it brotli takes ten times as long for a few per cent. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** What the server makes itself and sends to everybody: compressed once, beside the thread that serves. */
export async function webFileOf(type: string, text: string): Promise<WebFile> {
  const plain = Buffer.from(text);
  const [small, smaller] = await Promise.all([gzipped(plain), brotlied(plain, brotliQuality)]);
  return { type, tag: tagOf(plain), plain, gzip: small, brotli: smaller };
}

function tagOf(plain: Buffer): string {
  return `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** `folder` holds builds by name, and the file `current` names the one to serve. Null when nothing was built. */
export function readWebBuild(folder: string): WebBuild | null {
  const pointer = join(folder, "current");
  if (!existsSync(pointer)) return null;
  const build = join(folder, readFileSync(pointer, "utf8").trim());
  const paths = readdirSync(build, { recursive: true, encoding: "utf8" });
  const files = paths.flatMap((path): [string, WebFile][] => {
    const type = types[extname(path)];
    if (type === undefined) return [];
    const copy = (ending: string) =>
      paths.includes(`${path}.${ending}`) ? readFileSync(join(build, `${path}.${ending}`)) : undefined;
    const plain = readFileSync(join(build, path));
    return [[path.replaceAll("\\", "/"), { type, tag: tagOf(plain), plain, gzip: copy("gz"), brotli: copy("br") }]];
  });
  return new Map(files);
}

const everyFile = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  vary: "accept-encoding",
} as const;

const everyPage = {
  ...everyFile,
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
} as const;

const everyAsset = { ...everyFile, "cache-control": "public, max-age=31536000, immutable" } as const;

export function registerWebPages(app: FastifyInstance, build: WebBuild | null, pages: readonly WebPage[]): void {
  for (const { path, file, contentSecurityPolicy, isPublic } of pages) {
    const found = build?.get(file);
    const kept = isPublic && found !== undefined ? { "cache-control": "no-cache", etag: found.tag } : {};
    const headers = { ...everyPage, ...kept, "content-security-policy": contentSecurityPolicy };
    app.get(path, (request, reply) => sendFile(request, reply, { file: found, headers }));
  }
  for (const [path, file] of build ?? []) {
    // One route each: what is not there is answered like every unknown path.
    if (path.startsWith("assets/")) {
      app.get(`/${path}`, (request, reply) => sendFile(request, reply, { file, headers: everyAsset }));
    }
  }
}

interface Sending {
  readonly file: WebFile | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whoever names an `etag` may keep the file and asks whether it still holds. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, { file, headers }: Sending): FastifyReply {
  if (file === undefined) {
    const message = "The pages of this server are not built. Run npm run build and start it again.";
    throw commonProblem("unavailable", { message, headers: { "Retry-After": "60" } });
  }
  const accepted = String(request.headers["accept-encoding"] ?? "");
  reply.headers(headers);
  if (headers["etag"] !== undefined && isKnownTag(request.headers["if-none-match"], file.tag)) {
    return reply.code(304).send();
  }
  reply.type(file.type);
  if (file.brotli !== undefined && accepts(accepted, "br")) {
    return reply.header("content-encoding", "br").send(file.brotli);
  }
  if (file.gzip !== undefined && accepts(accepted, "gzip")) {
    return reply.header("content-encoding", "gzip").send(file.gzip);
  }
  return reply.send(file.plain);
}

/** Quality 0 means "anything but this". */
function accepts(header: string, coding: string): boolean {
  return new RegExp(`(^|,)\\s*${coding}\\s*(;\\s*q=(?!0(\\.0{0,3})?\\s*(,|$))[^,]*)?(,|$)`, "i").test(header);
}
