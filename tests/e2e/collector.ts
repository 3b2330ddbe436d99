/** A collector of OpenTelemetry's traces, as far as a test needs one: OTLP over HTTP, in JSON. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface CollectedSpan {
  readonly traceId: string;
  readonly name: string;
  readonly kind: number;
  readonly parentSpanId?: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: Pick<CollectedSpan, "attributes">;
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
}

export interface Collector {
  readonly url: string;
  /** The bodies of whatever else was sent here, such as webhooks. */
  readonly others: readonly string[];
  /** All traces that came, as text. */
  text(): string;
  spans(): CollectedSpan[];
  /** The value of an attribute of every sender. */
  senders(attribute: string): unknown[];
  close(): void;
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const others: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      (request.url === "/v1/traces" ? bodies : others).push(body);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const exported = () => bodies.flatMap((body) => (JSON.parse(body) as Export).resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    others,
    text: () => bodies.join("\n"),
    spans: () => exported().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    senders: (attribute) => exported().map(({ resource }) => attributeOf(resource, attribute)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function attributeOf({ attributes }: Pick<CollectedSpan, "attributes">, key: string): unknown {
  const found = attributes.find((attribute) => attribute.key === key);
  return Object.values(found?.value ?? {})[0];
}
