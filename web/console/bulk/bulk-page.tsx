/** Many payouts from a file: upload, tell the columns apart, correct, look at the totals, pay. */
import { FileSpreadsheet, Upload as UploadSign } from "lucide-react";
import { type DragEvent, useState } from "react";
import { saveFile } from "../api/csv.ts";
import { mayChange } from "../api/may-change.ts";
import { useEnvironment } from "../api/place.ts";
import { Button } from "../parts/button.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { CheckRows } from "./check-rows.tsx";
import { isClear, MapColumns } from "./map-columns.tsx";
import { type DraftRow, draftRows, guessMapping, type TableRow } from "./payout-file.ts";
import { readTable } from "./read-file.ts";
import { templateCsv, templateSpreadsheet } from "./template.ts";

type Stage =
  | { readonly name: "upload"; readonly mistake?: string }
  | { readonly name: "columns"; readonly table: readonly TableRow[]; readonly batch: string }
  | { readonly name: "check"; readonly rows: readonly DraftRow[]; readonly batch: string };

const mostRows = 1_000;

export function BulkPage() {
  const [stage, setStage] = useState<Stage>({ name: "upload" });
  const may = mayChange(useEnvironment().place.merchant.role, "transfers");
  const upload = async (file: File) => setStage(await stageOf(file));
  return (
    <>
      <PageHead title="New bulk payout" about="Pay many people from one file. You see every row before money moves." />
      {stage.name === "upload" && may ? <Upload mistake={stage.mistake} onFile={upload} /> : null}
      {may ? null : (
        <p className="card p-4 text-soft">
          Your role does not include payouts. Ask an owner of the merchant to change it.
        </p>
      )}
      {stage.name === "columns" ? (
        <MapColumns table={stage.table} onDone={(rows) => setStage({ name: "check", rows, batch: stage.batch })} />
      ) : null}
      {stage.name === "check" ? (
        <CheckRows rows={stage.rows} batch={stage.batch} onBack={() => setStage({ name: "upload" })} />
      ) : null}
    </>
  );
}

/** Columns with usual titles are not asked about. */
async function stageOf(file: File): Promise<Stage> {
  const table = await readTable(file).catch((error: unknown) => (error instanceof Error ? error.message : "?"));
  if (typeof table === "string") return { name: "upload", mistake: table };
  const [head, ...rows] = table;
  if (head === undefined || rows.length === 0) {
    return { name: "upload", mistake: "The file has no rows below its titles." };
  }
  if (rows.length > mostRows) {
    return { name: "upload", mistake: `The file has more than ${mostRows} rows. Divide it.` };
  }
  const batch = batchName(file.name);
  const mapping = guessMapping(head.cells);
  return isClear(mapping)
    ? { name: "check", rows: draftRows(rows, mapping), batch }
    : { name: "columns", table, batch };
}

/** The file's name is in the batch's reference, so that people find it again. */
function batchName(fileName: string): string {
  const plain = fileName
    .replace(/\.\w+$/, "")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 30);
  return plain === "" ? "batch" : plain;
}

interface UploadProps {
  readonly mistake: string | undefined;
  readonly onFile: (file: File) => void;
}

function Upload({ mistake, onFile }: UploadProps) {
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <section className="card grid max-w-3xl gap-4 p-5">
      <label
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={`grid cursor-pointer justify-items-center gap-2 rounded-lg border-2 border-dashed px-4 py-10
          text-center focus-within:border-brand ${isOver ? "border-brand bg-brand-tint" : "border-strong bg-sunken"}`}
      >
        <UploadSign aria-hidden="true" className="size-6 text-soft" />
        <span className="font-medium">Drop a CSV or Excel file here, or choose one</span>
        <span className="text-sm text-soft">Up to 1,000 rows, with a header row.</span>
        <input
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,text/csv"
          aria-label="CSV or Excel file"
          className="sr-only"
          onChange={(event) => take(event.target.files)}
        />
      </label>
      {mistake === undefined ? null : (
        <p role="alert" className="text-danger">
          {mistake}
        </p>
      )}
      <p className="text-soft">
        Required columns: account number, bank code, amount. Optional: name, reference, narration. If the file has a
        name column, each name is compared with the bank's.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => saveFile("bulk-payout.xlsx", templateSpreadsheet())}>
          <FileSpreadsheet aria-hidden="true" className="size-4" />
          Excel template
        </Button>
        <Button onClick={() => saveFile("bulk-payout.csv", templateCsv)}>
          <FileSpreadsheet aria-hidden="true" className="size-4" />
          CSV template
        </Button>
      </div>
    </section>
  );
}
