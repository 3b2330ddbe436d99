/** `npm run twins`: stand-ins for every provider on this machine, to try a live environment without real money. */
import { dojahKeys, startDojahTwin } from "../../server/testing/providers/dojah-twin.ts";
import { monnifyKeys, startMonnifyTwin } from "../../server/testing/providers/monnify-twin.ts";
import { startPaystackTwin } from "../../server/testing/providers/paystack-twin.ts";
import { createCardBooks } from "../../server/testing/providers/paystack-twin-card-books.ts";
import { paystackCards } from "../../server/testing/providers/paystack-twin-cards.ts";
import { createInboundBooks } from "../../server/testing/providers/paystack-twin-inbound.ts";
import { startTermiiTwin, termiiKeys } from "../../server/testing/providers/termii-twin.ts";
import { startVtpassTwin, vtpassKeys } from "../../server/testing/providers/vtpass-twin.ts";

const firstPort = Number(process.env["TWINS_PORT"] ?? 4101);

const [paystack, vtpass, termii, dojah, monnify] = await Promise.all([
  startPaystackTwin(firstPort, {
    parts: [paystackCards(createCardBooks()), createInboundBooks().part],
    firstId: Date.now(),
  }),
  startVtpassTwin({ port: firstPort + 1 }),
  startTermiiTwin({ port: firstPort + 2, onMessage: ({ to, text }) => console.log(`SMS to ${to}: ${text}`) }),
  startDojahTwin({ port: firstPort + 3 }),
  startMonnifyTwin(firstPort + 4),
]);

const lines = [
  ["paystack", paystack.url, { secretKey: paystack.account.secretKey }],
  ["vtpass", vtpass.baseUrl, vtpassKeys],
  ["termii", termii.url, termiiKeys],
  ["dojah", dojah.url, dojahKeys],
  ["monnify", monnify.url, monnifyKeys],
] as const;
console.log("Twins of the providers. They keep books and move no money. Ctrl-C stops them.\n");
for (const [provider, baseUrl, credentials] of lines) {
  console.log(`${provider.padEnd(10)}${baseUrl.padEnd(28)}${JSON.stringify(credentials)}`);
}
console.log(`
Pay into a virtual account that Paystack's twin gave out, with the webhook of your connection:
  curl -X POST ${paystack.url}/twin/pay-in -H "Content-Type: application/json" \\
    -d '{"accountNumber":"…","amount":2500,"senderName":"Ada Obi","hookUrl":"http://localhost:4000/rails/<connection>/hook"}'`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    await Promise.all([paystack, vtpass, termii, dojah, monnify].map((twin) => twin.close()));
    process.exit(0);
  });
}
