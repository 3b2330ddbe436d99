/** A worker that only sends webhooks, as a process of its own, for tests that kill it. */
import { argv } from "node:process";
import { createDatabase, createPool } from "../../src/platform/database/database.ts";
import { createSequencer } from "../../src/platform/records/sequencer.ts";
import { createSealer, parseMasterKeys } from "../../src/platform/secrets/crypto.ts";
import { startLoop } from "../../src/platform/work/background-loop.ts";
import { createWebhookSender } from "../../src/webhooks/sending/send-webhooks.job.ts";
import { createWebhookClient } from "../../src/webhooks/sending/webhook-client.ts";
import { silentLog } from "../work.ts";

const [, , url = "", masterKey = "", leaseSeconds = "1"] = argv;

const db = createDatabase(createPool({ url, poolSize: 5 }));
const sealer = createSealer(parseMasterKeys(masterKey));
const client = createWebhookClient({ reach: { blocks: [], sandboxLoopback: true }, totalMs: 10_000 });
const sender = createWebhookSender({ db, log: silentLog, sealer, client, leaseSeconds: Number(leaseSeconds) });
startLoop({ name: "event sequencer", log: silentLog, step: createSequencer(db) });
startLoop({ name: "webhook sender", log: silentLog, step: sender.round });
process.stdout.write("ready\n");
