/** Providers and their pages are reached over TLS; a twin on the same machine needs none. */
export function isSafeAddress({ protocol, hostname }: URL): boolean {
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback);
}
