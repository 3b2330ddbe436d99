/** Many payouts from a file: upload, tell the columns apart, ask every bank for the name, look at the totals, pay. */
import { useState } from "react";
import { mayChange } from "../api/may-change.ts";
import { useEnvironment } from "../api/place.ts";
import { PageHead } from "../parts/page-head.tsx";
import { CommandLine } from "../parts/states.tsx";
import { CheckRows } from "./check-rows.tsx";
import { MapColumns } from "./map-columns.tsx";
import type { PayoutRow, TableRow } from "./payout-file.ts";
import { readTable } from "./read-file.ts";

type Stage =
  | { readonly name: "upload"; readonly mistake?: string }
  | { readonly name: "columns"; readonly table: readonly TableRow[]; readonly batch: string }
  | { readonly name: "check"; readonly rows: readonly PayoutRow[]; readonly batch: string };

const mostRows = 1_000;

export function BulkPage() {
  const [stage, setStage] = useState<Stage>({ name: "upload" });
  const may = mayChange(useEnvironment().place.merchant.role, "transfers");
  const upload = async (file: File) => {
    const table = await readTable(file).catch((error: unknown) => (error instanceof Error ? error.message : "?"));
    if (typeof table === "string") return setStage({ name: "upload", mistake: table });
    if (table.length < 2) return setStage({ name: "upload", mistake: "The file has no rows below its titles." });
    if (table.length > mostRows + 1) {
      return setStage({ name: "upload", mistake: `The file has more than ${mostRows} rows. Divide it.` });
    }
    setStage({ name: "columns", table, batch: batchName(file.name) });
  };
  return (
    <>
      <PageHead
        title="Bulk payouts"
        about="Pay many people from one file. Nothing moves before you have seen it all."
      />
      {stage.name === "upload" && may ? <Upload mistake={stage.mistake} onFile={upload} /> : null}
      {may ? null : (
        <p className="card p-4 text-soft">
          Your role does not include payouts. Ask an owner of the merchant to change it.
        </p>
      )}
      {stage.name === "columns" ? (
        <MapColumns
          table={stage.table}
          batch={stage.batch}
          onDone={(rows) => setStage({ name: "check", rows, batch: stage.batch })}
        />
      ) : null}
      {stage.name === "check" ? (
        <CheckRows rows={stage.rows} batch={stage.batch} onBack={() => setStage({ name: "upload" })} />
      ) : null}
    </>
  );
}

/** The file's name is in the batch's reference, so that people find it again; the rest makes it used once. */
function batchName(fileName: string): string {
  const plain = fileName
    .replace(/\.\w+$/, "")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .slice(0, 30);
  return `${plain}-${crypto.randomUUID().slice(0, 8)}`;
}

interface UploadProps {
  readonly mistake: string | undefined;
  readonly onFile: (file: File) => void;
}

function Upload({ mistake, onFile }: UploadProps) {
  return (
    <section className="card grid max-w-3xl gap-4 p-5">
      <label className="grid gap-2">
        <span className="font-medium">CSV file or spreadsheet</span>
        <input
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,text/csv"
          className="field"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file !== undefined) onFile(file);
          }}
        />
      </label>
      {mistake === undefined ? null : (
        <p role="alert" className="text-danger">
          {mistake}
        </p>
      )}
      <p className="text-soft">
        The first line has titles. Needed are account number, bank code and amount; a reference of yours and a narration
        may stand beside them. For example:
      </p>
      <CommandLine
        command={"account number,bank code,amount,reference,narration\n0123456789,058,2500.50,may-1,Salary"}
      />
    </section>
  );
}
