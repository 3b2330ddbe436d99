/** Passkeys of people at the console, used as its pages do. */
import { expect } from "vitest";
import type { TestApp } from "./app.ts";
import { cookieOf, fromPage, signIn, type Visitor } from "./console.ts";
import { softwarePasskey } from "./software-passkey.ts";

type Device = ReturnType<typeof softwarePasskey>;
export type Ceremony = NonNullable<Parameters<Device["sign"]>[1]>;

export const send = (who: Visitor, passkey: object, name = "Ada's phone") =>
  who.ask("POST", "/console/api/passkeys", { name, passkey });

export const beginToAdd = async (who: Visitor) =>
  (await who.ask("POST", "/console/api/passkeys/begin")).json().data.options;

export async function withPasskey(who: Visitor): Promise<Device> {
  const device = softwarePasskey();
  expect((await send(who, device.add(await beginToAdd(who)))).statusCode).toBe(201);
  return device;
}

/** People at one app, each browser of theirs at an address of its own. */
export function passkeyUsers(testing: TestApp) {
  let people = 0;
  let addresses = 0;

  function visit(path: string, payload?: object, cookie = "", address?: string) {
    addresses += 1;
    const from = address ?? `203.0.113.${addresses % 250}`;
    const headers = { ...fromPage, "x-forwarded-for": from, ...(cookie === "" ? {} : { cookie }) };
    const url = `/console/api/sign-in-passkey${path}`;
    return testing.app.inject({ method: "POST", url, headers, ...(payload && { payload }) });
  }

  /** A browser at the sign-in page, which has asked for something to sign. */
  async function openBrowser() {
    const begun = await visit("/begin");
    const cookie = cookieOf(begun);
    const { options } = begun.json().data;
    return { options, cookie, finish: (passkey: object, own = cookie) => visit("", { passkey }, own) };
  }

  return {
    visit,
    openBrowser,
    newPerson(): Promise<Visitor> {
      people += 1;
      return signIn(testing, { email: `person${people}@example.com`, role: "finance" });
    },
    async comeIn(device: Device, ceremony: Ceremony = {}) {
      const { options, finish } = await openBrowser();
      return finish(device.sign(options, ceremony));
    },
  };
}
