/** What the settings alone tell: addresses, proxies, backups, the lender. */
import { type Finding, good, look, missing } from "./finding.ts";

export interface Settings {
  readonly host: string;
  readonly publicUrl: string;
  readonly trustProxy: false | number | string;
  readonly backupFolder?: string;
  readonly databaseUrl?: string;
  readonly databaseOwnerUrl?: string;
  readonly lender?: object;
  readonly webhookReach: { readonly sandboxLoopback: boolean };
}

export function judgeSettings(settings: Settings): Finding[] {
  return [
    judgePublicUrl(settings),
    judgeProxy(settings),
    judgeLogins(settings),
    settings.lender === undefined
      ? look("lender", "No lender is named, so live loans at the checkout are refused.", "Set JARA_LENDER_… to lend.")
      : good("lender", "Live loans are made in the lender's name."),
    ...(settings.webhookReach.sandboxLoopback
      ? [
          look(
            "webhooks",
            "Sandboxes may send webhooks to this very machine.",
            "Take JARA_SANDBOX_WEBHOOKS_TO_LOOPBACK away, unless only your own developers use this server.",
          ),
        ]
      : []),
  ];
}

function judgePublicUrl({ publicUrl }: Settings): Finding {
  const { protocol, hostname } = new URL(publicUrl);
  const cure = "Set PUBLIC_URL to the https address that merchants and customers use.";
  if (isLocal(hostname)) return missing("address", `PUBLIC_URL is ${publicUrl}, which nobody else can reach.`, cure);
  if (protocol !== "https:") return missing("address", `PUBLIC_URL is ${publicUrl}, without TLS.`, cure);
  return good("address", publicUrl);
}

/** The server speaks HTTP only, so a proxy that ends TLS stands in front, and callers have its address. */
function judgeProxy({ trustProxy, host }: Settings): Finding {
  if (trustProxy === false) {
    return missing(
      "proxy",
      "TRUST_PROXY is false: every caller seems to come from the proxy that ends TLS.",
      "Set TRUST_PROXY to the number of proxies in front, or to their addresses.",
    );
  }
  if (host === "0.0.0.0" || host === "::") {
    return look(
      "proxy",
      `HOST is ${host}: whoever reaches this port directly may claim any address.`,
      "Let a firewall keep everybody but the proxy out, or listen on 127.0.0.1.",
    );
  }
  return good("proxy", `${trustProxy} in front`);
}

function judgeLogins({ databaseUrl, databaseOwnerUrl }: Settings): Finding {
  if (databaseOwnerUrl !== undefined && databaseOwnerUrl !== databaseUrl) {
    return good("logins", "Tables are owned by one login, and served by another.");
  }
  return look(
    "logins",
    "One login owns the tables and serves requests; the server makes itself a lesser one where it may.",
    "Give DATABASE_OWNER_URL for migrations and DATABASE_URL for a member of jara_app.",
  );
}

export function isLocal(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.") || hostname === "0.0.0.0";
}
