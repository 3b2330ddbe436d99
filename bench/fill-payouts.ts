/**
 * Payouts that are over: rows as a finished life leaves them, made by the database itself. The ledger's are left out:
 * it is verified after each leg, and reads only its own rows.
 */
import type { Payer } from "./payers.ts";
import type { Stage } from "./stage.ts";

type Filled = Pick<Stage, "admin">;

/** With their payments at the bank, their events and deliveries. */
export async function fillPayouts(stage: Filled, payers: readonly Payer[], rows: number): Promise<void> {
  const each = Math.ceil(rows / payers.length);
  for (const payer of payers) {
    await fillList(stage, payer, each);
    await fillTraces(stage, payer, each);
  }
  await settle(stage);
}

/** Only what a list of payouts reads. */
export async function fillPayoutList(stage: Filled, payer: Payer, rows: number): Promise<void> {
  await fillList(stage, payer, rows);
  await settle(stage);
}

async function settle(stage: Filled): Promise<void> {
  // As an upgrade counts what is there, and a worker folds it a moment later.
  await stage.admin.query("select catch_up_list_counts()");
  await stage.admin.query("select fold_list_counts()");
  await stage.admin.query("vacuum analyze");
  await stage.admin.query("checkpoint");
}

async function fillList(stage: Filled, { environmentId, mainWallet }: Payer, rows: number): Promise<void> {
  await stage.admin.query(
    `insert into transfers (environment_id, id, reference, source_account_id, account_number, account_name, bank_code,
       amount, fee, vat, stamp_duty, narration, status, version, session_id, list_position, created_at, updated_at,
       sent_at, completed_at)
     select $1, uuidv7(make_interval(secs => n - $2::integer)), 'old-' || n, $3, '0123456789', 'ADAEZE OKAFOR', '058',
       150000, 1000, 75, 0, 'Salary November', 'completed', 3, '9990012601010000' || lpad(n::text, 14, '0'), n, t.at,
       t.at, t.at, t.at
     from generate_series(1, $2::integer) n, lateral (select now() + make_interval(secs => n - $2::integer)) as t (at)`,
    [environmentId, rows, mainWallet],
  );
  await countRows(stage, environmentId, rows, "transfers");
}

async function countRows(stage: Filled, environmentId: string, rows: number, resource: string): Promise<void> {
  await stage.admin.query(
    `insert into list_counters (environment_id, resource, total) values ($1, $2, $3)
     on conflict (environment_id, resource) do update set total = excluded.total`,
    [environmentId, resource, rows],
  );
}

async function fillTraces(stage: Filled, { environmentId }: Payer, rows: number): Promise<void> {
  const run = (text: string) => stage.admin.query(text, [environmentId, rows]);
  await run(
    `insert into simulated_bank.payments (sandbox, session_id, nip_code, account_number, account_name, amount,
       reference, narration, status, response_code, attempts)
     select $1, '9990012601010000' || lpad(n::text, 14, '0'), '000013', '0123456789', 'ADAEZE OKAFOR', 150000,
       'old-' || n, 'Salary November', 'paid', '00', 1
     from generate_series(1, $2::integer) n`,
  );
  // The deliveries of these are over as well, and are made below.
  await stage.admin.query("alter table events disable trigger fan_out_written");
  await run(
    `insert into events (environment_id, id, event, resource_type, resource_id, resource_version, data, created_at,
       list_position)
     select t.environment_id, uuidv7(t.created_at - now()), 'transfer.completed', 'transfer', t.id, 3,
       json_build_object('id', t.id, 'reference', t.reference, 'status', t.status, 'amount', 1500), t.created_at,
       t.list_position
     from transfers t where t.environment_id = $1 and t.list_position <= $2::integer`,
  );
  await stage.admin.query("alter table events enable trigger fan_out_written");
  await run(
    `insert into webhook_deliveries (environment_id, event_id, endpoint_id, event_position, resource_id, status,
       attempts, due_at, completed_at)
     select e.environment_id, e.id, w.id, e.list_position, e.resource_id, 'delivered', 1, e.created_at, e.created_at
     from events e join webhook_endpoints w on w.environment_id = e.environment_id
     where e.environment_id = $1 and e.list_position <= $2::integer`,
  );
  await countRows(stage, environmentId, rows, "events");
}
