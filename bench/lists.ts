/** What a page costs at the beginning, in the middle and at the end of short and long lists. */
import { load, requestBytes } from "./load.ts";
import { type Api, createPayer, type Payer } from "./payers.ts";
import { type Leg, median } from "./report.ts";
import type { Stage } from "./stage.ts";

const long = Number(process.env["BENCH_ROWS"] ?? 3_000_000);
const short = 10_000;
const rounds = 3;

export async function measureLists(
  stage: Stage,
  api: Api,
  operatorToken: string,
): Promise<{ legs: Leg[]; ratio: number }> {
  const lists = [
    { rows: short, payer: await createPayer(api, operatorToken, 0) },
    { rows: long, payer: await createPayer(api, operatorToken, 0) },
  ];
  for (const list of lists) await fillList(stage, list.payer, list.rows);
  await stage.admin.query("vacuum analyze transfers");
  const values = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const { rows, payer } of lists) {
      const last = rows / 10;
      for (const [place, page] of [
        ["first", 1],
        ["middle", Math.ceil(last / 2)],
        ["last", last],
      ] as const) {
        const name = `(e) ${place} page of ${rows.toLocaleString("en")}`;
        values.set(name, [...(values.get(name) ?? []), await timePage(stage, payer, page)]);
      }
    }
  }
  const legs = [...values].map(([name, figures]) => ({ name, unit: "ms", values: figures }));
  const of = (name: string): number => median(values.get(name) ?? []);
  return {
    legs,
    ratio: of(`(e) last page of ${long.toLocaleString("en")}`) / of(`(e) first page of ${short.toLocaleString("en")}`),
  };
}

async function timePage(stage: Stage, payer: Payer, page: number): Promise<number> {
  const bytes = requestBytes("GET", `/transfers?page=${page}&limit=10`, payer.key);
  const result = await load({ port: stage.port, connections: 1, seconds: 2, next: () => bytes });
  return result.p50Ms;
}

/** Rows as acceptance writes them, made by the database itself: what is measured is reading. */
async function fillList(stage: Stage, payer: Payer, rows: number): Promise<void> {
  await stage.admin.query("begin");
  await stage.admin.query(
    `insert into transfers (environment_id, id, reference, source_account_id, account_number, account_name, bank_code,
       amount, fee, vat, stamp_duty, narration, status, list_position, created_at, updated_at)
     select $1, gen_random_uuid(), 'row-' || n, $2, '0123456789', 'ADAEZE OKAFOR', '058', 150000, 1000, 75, 0,
       'Salary November', 'pending', n, now(), now()
     from generate_series(1, $3::bigint) n`,
    [payer.environmentId, payer.mainWallet, rows],
  );
  await stage.admin.query("insert into list_counters (environment_id, resource, total) values ($1, 'transfers', $2)", [
    payer.environmentId,
    rows,
  ]);
  await stage.admin.query("commit");
}
