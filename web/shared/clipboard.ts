/**
 * Puts a text where it can be pasted from, and says whether that worked: a browser may refuse it, and one that came by
 * plain http, as to a server in the same house, has no clipboard to offer at all.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
