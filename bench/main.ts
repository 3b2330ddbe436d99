/** `npm run bench <name>`: benchmarks that compare within one run, because machines differ and are noisy. */
import { benchAdvance } from "./advance.ts";
import { benchBills } from "./bills.ts";
import { benchConsole } from "./console.ts";
import { benchLifecycle } from "./lifecycle.ts";
import { benchLive } from "./live.ts";
import { benchNeighbours } from "./neighbours.ts";
import { benchPartitions } from "./partitions.ts";
import { benchReads } from "./reads.ts";
import { benchReplicas } from "./replicas.ts";
import { benchSizes } from "./sizes.ts";
import { benchTracing } from "./tracing.ts";
import { benchTransfers } from "./transfers.ts";
import { benchWebhooks } from "./webhooks.ts";

const benches: Readonly<Record<string, () => Promise<void>>> = {
  transfers: benchTransfers,
  bills: benchBills,
  live: benchLive,
  lifecycle: benchLifecycle,
  webhooks: benchWebhooks,
  neighbours: benchNeighbours,
  advance: benchAdvance,
  console: benchConsole,
  sizes: benchSizes,
  partitions: benchPartitions,
  tracing: benchTracing,
  reads: benchReads,
  replicas: benchReplicas,
};

const name = process.argv[2] ?? "";
const bench = benches[name];
if (bench === undefined) {
  console.error(`There is no benchmark ${JSON.stringify(name)}. Choose one of: ${Object.keys(benches).join(", ")}`);
  process.exit(1);
}
await bench();
process.exit(0);
