/** A merchant whose environment is live, and providers for it: their twins take the orders. */
import { callerOf, type Data, type Product, type Sandbox } from "./product.ts";

export interface LiveShop extends Sandbox {
  readonly environmentId: string;
  readonly operate: Sandbox["call"];
  /** Connects a provider for these ports and returns the connection's id. */
  connect(provider: string, twin: { url: string }, credentials: Data, ports: readonly string[]): Promise<string>;
}

export async function openLiveShop({ baseUrl, tokens }: Product): Promise<LiveShop> {
  const operate = callerOf(baseUrl, tokens.operator);
  const { id: merchantId } = await operate("POST", "/operator/merchants", {
    name: "Ade Stores",
    email: "ade@b.example",
  });
  const live = { kind: "LIVE", name: "Live" };
  const { id } = await operate("POST", `/operator/merchants/${merchantId}/environments`, live);
  const { key } = await operate("POST", `/operator/environments/${id}/keys`, { name: "Browser" });
  return {
    environmentId: String(id),
    operate,
    call: callerOf(baseUrl, String(key)),
    connect: async (provider, twin, credentials, ports) => {
      const body = { provider, name: provider, mode: "live", ports, credentials, baseUrl: twin.url };
      const connection = await operate("POST", "/operator/connections", body);
      for (const port of ports) {
        await operate("PUT", `/operator/routes/${port}`, { connections: [connection["id"]] });
      }
      return String(connection["id"]);
    },
  };
}
