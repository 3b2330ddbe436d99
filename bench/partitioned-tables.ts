/** What `npm run bench partitions` measures: tables, by what each would be partitioned, their rows and a question. */
export const ways = ["plain", "parted"] as const;
export type Way = (typeof ways)[number];

export const environment = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const account = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b12";
export const batchSize = 256;

interface PartitionedTable {
  readonly table: string;
  readonly key: string;
  /** The rows of a batch. */
  insert(way: Way, first: number): string;
}

export interface Group {
  /** What a batch is. */
  readonly name: string;
  readonly tables: readonly PartitionedTable[];
  /** What is asked most of the first table, and how many rows it gives: $1 is the environment, $2 a place from 1 on. */
  readonly question: { readonly name: string; readonly rows: number; text(way: Way): string };
}

const series = (first: number) => `generate_series(${first + 1}, ${first + batchSize}) n`;

const transfers: PartitionedTable = {
  table: "transfers",
  key: "id",
  insert: (way, first) => `
    insert into ${way}.transfers (environment_id, id, reference, source_account_id, account_number, account_name,
      bank_code, amount, fee, vat, stamp_duty, narration, status, version, list_position, created_at, updated_at)
    select '${environment}', uuidv7(), 'order-' || n, '${account}', '0123456789', 'ADAEZE OKAFOR', '058', 150000, 1000,
      75, 0, 'Salary November', 'pending', 1, n, now(), now() from ${series(first)}`,
};

const ledgerTransactions: PartitionedTable = {
  table: "ledger_transactions",
  key: "id",
  insert: (way, first) => `
    insert into ${way}.ledger_transactions (environment_id, id, kind, resource_type, reference, posted_at)
    select '${environment}', uuidv7(), 'transfer.accepted', 'transfer', 'order-' || n, now() from ${series(first)}`,
};

const entries: PartitionedTable = {
  table: "entries",
  key: "posted_at",
  insert: (way, first) => `
    insert into ${way}.entries (environment_id, transaction_id, account_id, amount, balance_after, account_entry,
      posted_at)
    select '${environment}', uuidv7(), '${account}', 1, 1, n * 2 + e, now()
    from ${series(first)}, generate_series(0, 1) e`,
};

const bills: PartitionedTable = {
  table: "bills",
  key: "id",
  insert: (way, first) => `
    insert into ${way}.bills (environment_id, id, reference, category, provider, product_code, product_name, customer,
      amount, fee, commission, catalogue_version, status, list_position, created_at, updated_at, claim_at)
    select '${environment}', uuidv7(), 'airtime-' || n, 'airtime', 'MTN', 'mtn', 'MTN airtime', '08031234567', 50000, 0,
      1500, 1, 'pending', n, now(), now(), now() from ${series(first)}`,
};

const events: PartitionedTable = {
  table: "events",
  key: "id",
  insert: (way, first) => `
    insert into ${way}.events (environment_id, id, sequence, event, resource_type, resource_id, resource_version, data,
      created_at, list_position)
    select '${environment}', uuidv7(), n, 'transfer.completed', 'transfer', uuidv7(), 2,
      json_build_object('reference', 'order-' || n, 'padding', repeat('x', 600)), now(), n from ${series(first)}`,
};

const deliveries: PartitionedTable = {
  table: "webhook_deliveries",
  key: "event_id",
  insert: (way, first) => `
    insert into ${way}.webhook_deliveries (environment_id, event_id, endpoint_id, event_position, resource_id, status,
      due_at, claim_at)
    select '${environment}', uuidv7(), '${account}', n, uuidv7(), 'pending', now(), now() from ${series(first)}`,
};

const requests: PartitionedTable = {
  table: "api_requests",
  key: "at",
  insert: (way, first) => `
    insert into ${way}.api_requests (environment_id, position, at, clock_at, request_id, method, route, path, status,
      duration_ms, key_id, replayed, record_id, request_body, response_body)
    select '${environment}', n, now(), now(), 'req-' || n, 'POST', '/transfers', '/transfers', 201, 12, '${account}',
      false, uuidv7(), repeat('q', 200), repeat('r', 500) from ${series(first)}`,
};

const page = (table: string, position: string) => ({
  name: "a page of ten",
  rows: 10,
  text: (way: Way) => `select * from ${way}.${table}
    where environment_id = $1 and ${position} >= $2 and ${position} <= $2::bigint + 9
    order by ${position} desc limit 100`,
});

export const groups: readonly Group[] = [
  { name: "payouts", tables: [transfers, ledgerTransactions, entries], question: page("transfers", "list_position") },
  { name: "bills", tables: [bills], question: page("bills", "list_position") },
  { name: "events", tables: [events], question: page("events", "list_position") },
  {
    name: "deliveries",
    tables: [deliveries],
    question: {
      name: "the next ten that are due",
      rows: 10,
      text: (way) => `select event_id, endpoint_id from ${way}.webhook_deliveries
        where environment_id = $1 and endpoint_id = '${account}' and queued and event_position >= $2
        order by event_position limit 10`,
    },
  },
  { name: "logged requests", tables: [requests], question: page("api_requests", "position") },
];
