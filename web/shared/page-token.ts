/**
 * The token that opens a hosted page comes after the # of its address, which no browser sends to a server. It stays
 * there, so that the address can be opened on another device, and is remembered for this tab in case the customer
 * comes back without it.
 */
export interface PageAddress {
  /** From the path: /checkout/{id}. */
  readonly id: string;
  readonly token: string | null;
}

type TokenPlace = Pick<Storage, "getItem" | "setItem">;

export function readPageAddress(location: { pathname: string; hash: string }, place: () => TokenPlace): PageAddress {
  const [, kind = "", id = ""] = location.pathname.split("/");
  const name = `jara/${kind}/${id}`;
  const fresh = location.hash.slice(1);
  if (fresh !== "") {
    quietly(() => place().setItem(name, fresh));
    return { id, token: fresh };
  }
  return { id, token: quietly(() => place().getItem(name)) };
}

/** A browser may forbid storage, even to ask for it; then the address alone must do. */
function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
