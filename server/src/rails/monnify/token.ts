/**
 * Monnify's access token: got with the two keys, good for about an hour, kept in memory only. It is renewed a minute
 * before it ends, and callers that need one at the same time share one log-in.
 */
import type { ProviderClient, WireReply } from "../provider-client.ts";
import { recordAt, textOf } from "../wire-json.ts";

export type LogIn = { readonly token: string } | { readonly token: null; readonly reply: WireReply };

export interface AccessToken {
  read(): Promise<LogIn>;
  /** The token was refused: the next caller logs in. A token that is newer than the refused one stays. */
  forget(refused: string): void;
}

const renewBeforeMs = 60_000;
const logInMs = 6_000;

export function createAccessToken(client: ProviderClient, apiKey: string, secretKey: string): AccessToken {
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString("base64")}`;
  let known: { readonly token: string; readonly renewAt: number } | undefined;
  let loggingIn: Promise<LogIn> | undefined;

  const logIn = async (): Promise<LogIn> => {
    const began = performance.now();
    const headers = { authorization };
    const reply = await client.call({
      method: "POST",
      path: "/api/v1/auth/login",
      headers,
      body: {},
      timeoutMs: logInMs,
    });
    const found = reply.kind === "answer" && reply.status === 200 ? tokenIn(reply.body) : undefined;
    if (found === undefined) return { token: null, reply };
    known = { token: found.token, renewAt: began + found.lifeMs - renewBeforeMs };
    return { token: found.token };
  };

  return {
    read: async () => {
      if (known !== undefined && performance.now() < known.renewAt) return { token: known.token };
      loggingIn ??= logIn().finally(() => {
        loggingIn = undefined;
      });
      return loggingIn;
    },
    forget: (refused) => {
      if (known?.token === refused) known = undefined;
    },
  };
}

function tokenIn(body: unknown): { token: string; lifeMs: number } | undefined {
  if (recordAt(body).requestSuccessful !== true) return undefined;
  const { accessToken, expiresIn } = recordAt(body, "responseBody");
  const token = textOf(accessToken);
  // Without a word about its life it serves for the call that asked for it.
  return token === undefined ? undefined : { token, lifeMs: Number(textOf(expiresIn) ?? 0) * 1_000 };
}
