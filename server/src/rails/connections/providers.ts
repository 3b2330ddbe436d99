/** Every provider that an operator can connect. */
import { dojah } from "../dojah/provider.ts";
import { monnify } from "../monnify/provider.ts";
import { paystack } from "../paystack/provider.ts";
import type { Provider } from "../provider.ts";
import { termii } from "../termii/provider.ts";
import { vtpass } from "../vtpass/provider.ts";

export const allProviders: readonly Provider[] = [paystack, monnify, vtpass, termii, dojah];
