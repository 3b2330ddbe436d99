const bearer = /^Bearer +(\S+) *$/i;

/** The token of an Authorization header; undefined when the header is missing or has another form. */
export function bearerToken(header: string | undefined): string | undefined {
  return bearer.exec(header ?? "")?.[1];
}
