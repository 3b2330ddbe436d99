/** Which keys of an operator there are, and what must hold before a provider is spoken to with them. */
import { allProviders } from "../../server/src/rails/connections/providers.ts";
import type { Connected, Provider } from "../../server/src/rails/provider.ts";
import { isSafeAddress } from "../../server/src/rails/safe-address.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

export type Subject =
  | { readonly name: string; readonly is: "ready"; readonly connected: Connected; readonly secrets: readonly string[] }
  | { readonly name: string; readonly is: "skipped"; readonly why: string }
  | { readonly name: string; readonly is: "refused"; readonly why: string };

/** Where a key tells the mode. VTpass and Termii do not say it in the key. */
const testKeys: Readonly<Record<string, { readonly credential: string; readonly begins: string }>> = {
  paystack: { credential: "secretKey", begins: "sk_test_" },
  monnify: { credential: "apiKey", begins: "MK_TEST_" },
  dojah: { credential: "secretKey", begins: "test_sk_" },
};

export function findSubjects(variables: Variables): Subject[] {
  return allProviders.map((provider) => subjectOf(provider, variables));
}

/** Such as JARA_REMOTE_MONNIFY_SOURCE_ACCOUNT_NUMBER. */
function variableOf(provider: string, credential: string): string {
  return `JARA_REMOTE_${provider}_${credential.replaceAll(/[A-Z]/g, "_$&")}`.toUpperCase();
}

function subjectOf(provider: Provider, variables: Variables): Subject {
  const { name, credentials: fields, testBaseUrl } = provider;
  const given = fields.map((field) => ({ ...field, variable: variableOf(name, field.name) }));
  const missing = given.filter(({ required, variable }) => required && !variables[variable]);
  if (missing.length > 0) {
    return { name, is: "skipped", why: `not set: ${missing.map(({ variable }) => variable).join(", ")}` };
  }
  const credentials: Record<string, string> = {};
  for (const field of given) {
    const value = variables[field.variable];
    if (value) credentials[field.name] = value;
  }
  const rule = testKeys[name];
  if (rule !== undefined && !credentials[rule.credential]?.startsWith(rule.begins)) {
    const why = `${variableOf(name, rule.credential)} is not a test key: those begin with ${rule.begins}`;
    return { name, is: "refused", why };
  }
  const baseUrl = variables[variableOf(name, "baseUrl")] ?? testBaseUrl;
  if (baseUrl !== testBaseUrl && !isHere(baseUrl)) {
    return { name, is: "refused", why: `${variableOf(name, "baseUrl")} may only name this machine or ${testBaseUrl}` };
  }
  const connected = provider.connect({ connectionId: "remote", mode: "test", baseUrl, credentials });
  const secrets = given.filter(({ secret }) => secret).map((field) => credentials[field.name] ?? "");
  return { name, is: "ready", connected, secrets: secrets.filter((secret) => secret !== "") };
}

function isHere(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === "http:" && isSafeAddress(new URL(text));
}
