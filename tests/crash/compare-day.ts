/** The comparison of today with a provider's own list, as an operator starts and reads it. */

interface Exception {
  readonly kind: string;
  readonly theirs: { readonly orderId: string } | null;
}

export interface ComparedDay {
  /** The provider's references of payments that we have no record of. */
  readonly strangers: ReadonlySet<string>;
  /** What else differs. */
  readonly others: readonly string[];
}

export async function compareDay(baseUrl: string, token: string, connectionId: string): Promise<ComparedDay> {
  const ask = async <Data>(path: string, body?: object): Promise<Data> => {
    const response = await fetch(`${baseUrl}/operator/reconciliations${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text).data;
  };
  const date = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Lagos" }).format(new Date());
  const { id } = await ask<{ id: string }>("", { connectionId, date });
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const run = await ask<{ state: string; failure: unknown; exceptions: readonly Exception[] }>(`/${id}`);
    if (run.state === "failed") throw new Error(`the day could not be compared: ${JSON.stringify(run.failure)}`);
    if (run.state !== "running") {
      const isStranger = ({ kind }: Exception) => kind === "missing_with_us";
      return {
        strangers: new Set(run.exceptions.filter(isStranger).flatMap(({ theirs }) => theirs?.orderId ?? [])),
        others: run.exceptions
          .filter((found) => !isStranger(found))
          .map(({ kind, theirs }) => `${kind}: ${theirs?.orderId}`),
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("the comparison of the day did not end within a minute");
}
