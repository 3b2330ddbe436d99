/** Knocks at the public address as a merchant would: TLS, its certificate, and whether Jara is behind it. */
import { once } from "node:events";
import { connect } from "node:tls";
import { type Finding, good, look, missing } from "./finding.ts";

const patienceMs = 5_000;
const leastDays = 14;

export async function lookAtAddress(publicUrl: string, now: Date): Promise<Finding[]> {
  const url = new URL(publicUrl);
  if (url.protocol !== "https:") return [];
  try {
    const ends = await readCertificateEnd(url);
    return [judgeCertificate(ends, now), await lookBehind(publicUrl)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      missing(
        "TLS",
        `${publicUrl} cannot be reached with a trusted certificate: ${why}.`,
        "Put a proxy that ends TLS in front (nginx, Caddy, haproxy), with a certificate that browsers trust.",
      ),
    ];
  }
}

async function readCertificateEnd({ hostname, port }: URL): Promise<Date> {
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, timeout: patienceMs });
  socket.on("timeout", () => socket.destroy(new Error(`no answer within ${patienceMs / 1_000} s`)));
  try {
    await once(socket, "secureConnect");
    return new Date(socket.getPeerCertificate().valid_to);
  } finally {
    socket.destroy();
  }
}

export function judgeCertificate(ends: Date, now: Date): Finding {
  const days = Math.floor((ends.getTime() - now.getTime()) / 86_400_000);
  if (days >= leastDays) return good("TLS", `the certificate is good for ${days} days`);
  return look("TLS", `The certificate ends in ${days} days.`, "Let it be renewed by itself (ACME).");
}

async function lookBehind(publicUrl: string): Promise<Finding> {
  const response = await fetch(`${publicUrl}/readyz`, { signal: AbortSignal.timeout(patienceMs), redirect: "manual" });
  if (response.status === 200) return good("server", "ready behind the public address");
  return look(
    "server",
    `${publicUrl}/readyz returns ${response.status}.`,
    "Start the server, and let the proxy pass everything on to it.",
  );
}
