/**
 * Where the documentation explains a code. It goes into a header, because the bodies of errors are a contract; a
 * program passes it on, and a person who looks at the headers clicks on it.
 */
export function helpLink(publicUrl: string, code: string): string {
  return `<${publicUrl}/docs/errors#${code}>; rel="help"`;
}
