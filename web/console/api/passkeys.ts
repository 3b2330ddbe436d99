/**
 * Asks the device in front of the person: the server says what to sign, the browser lets the device sign it, the server
 * looks at it. What speaks to the browser is loaded when somebody presses the button.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { peopleDoor, write } from "./client.ts";

/** What a browser says when no passkey was used; its name tells why. */
export class DeviceRefusal extends Error {}

export const canUsePasskeys = (): boolean => typeof globalThis.PublicKeyCredential === "function";

export async function addPasskey(name: string): Promise<void> {
  const begun = await write<{ options: PublicKeyCredentialCreationOptionsJSON }>(peopleDoor, "/passkeys/begin");
  const { startRegistration } = await import("@simplewebauthn/browser");
  const passkey = await startRegistration({ optionsJSON: begun.options }).catch(refuse);
  await write(peopleDoor, "/passkeys", { body: { name, passkey } });
}

export async function signInByPasskey(): Promise<void> {
  const passkey = await signed("/sign-in-passkey/begin");
  await write(peopleDoor, "/sign-in-passkey", { body: { passkey } });
}

export async function proveByPasskey(): Promise<void> {
  const passkey = await signed("/prove/passkey");
  await write(peopleDoor, "/prove", { body: { passkey } });
}

async function signed(path: string): Promise<AuthenticationResponseJSON> {
  const begun = await write<{ options: PublicKeyCredentialRequestOptionsJSON }>(peopleDoor, path);
  const { startAuthentication } = await import("@simplewebauthn/browser");
  return startAuthentication({ optionsJSON: begun.options }).catch(refuse);
}

function refuse(cause: unknown): never {
  const refusal = new DeviceRefusal("the device refused", { cause });
  if (cause instanceof Error) refusal.name = cause.name;
  throw refusal;
}

export function wordsForDevice({ name }: DeviceRefusal): string {
  if (name === "InvalidStateError") return "This device has a passkey of yours already.";
  if (name === "SecurityError") return "Passkeys work at the console's own address only, and not at a number.";
  return "No passkey was used. Try again, and confirm on your device that it is you.";
}
