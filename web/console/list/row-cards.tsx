/**
 * The same rows on a phone. A row that leads to a page has two lines: name and amount, then state, what it is about and
 * when. One that leads nowhere shows everything, because there is no other place for it.
 */
import { Link } from "@tanstack/react-router";
import { type Cell, flexRender, type Row as TableRow } from "@tanstack/react-table";
import { type Column, type ListDescription, linesOf } from "./description.ts";
import { type RowsProps, useDrawnRows } from "./row-table.tsx";

const heights = { brief: 68, whole: 150 };

export function RowCards<Row>(props: RowsProps<Row>) {
  const { list, open, isBusy } = props;
  const height = open === undefined ? heights.whole : heights.brief;
  const { place, drawn, before, after } = useDrawnRows<Row, HTMLUListElement>(props, height);
  return (
    <ul ref={place} aria-busy={isBusy} style={{ paddingTop: before, paddingBottom: after }}>
      {drawn.map(({ index, row }) => {
        if (row === undefined) {
          return (
            <li key={index} style={{ height }} className="border-b border-line p-4 last:border-0">
              <div className="skeleton h-4 w-2/3" />
              <span className="sr-only">Loading</span>
            </li>
          );
        }
        const to = open?.(row.original).to;
        return to === undefined ? (
          <WholeRow key={row.id} list={list} row={row} />
        ) : (
          <BriefRow key={row.id} list={list} row={row} to={to} />
        );
      })}
    </ul>
  );
}

interface RowProps<Row> {
  readonly list: ListDescription<Row>;
  readonly row: TableRow<Row>;
}

function BriefRow<Row>({ list, row, to }: RowProps<Row> & { readonly to: string }) {
  const { lead, beside, below, last } = linesOf(list.columns);
  return (
    <li className="relative grid grid-cols-1 gap-1 border-b border-line px-4 py-3 last:border-0">
      <div className="flex items-baseline justify-between gap-3">
        <Link data-row to={to} className="min-w-0 truncate font-medium after:absolute after:inset-0">
          {lead?.cell(row.original)}
        </Link>
        <Named column={beside} row={row.original} className="shrink-0 text-right" />
      </div>
      <div className="flex items-center gap-2 text-xs text-soft [&_.block]:hidden">
        {below.map((column, at) => (
          <Named
            key={column.title}
            column={column}
            row={row.original}
            className={at === 0 && below.length > 1 ? "shrink-0" : "min-w-0 truncate"}
          />
        ))}
        <Named column={last} row={row.original} className="ml-auto shrink-0" />
      </div>
    </li>
  );
}

interface NamedProps<Row> {
  readonly column: Column<Row> | undefined;
  readonly row: Row;
  readonly className: string;
}

/** Without room for its title, which is read out. */
function Named<Row>({ column, row, className }: NamedProps<Row>) {
  if (column === undefined) return null;
  return (
    <dl className={className}>
      <dt className="sr-only">{column.title}</dt>
      <dd className="truncate">{column.cell(row)}</dd>
    </dl>
  );
}

function WholeRow<Row>({ list, row }: RowProps<Row>) {
  const [lead, ...rest] = row.getVisibleCells();
  const drawn = (cell: Cell<Row, unknown>) => flexRender(cell.column.columnDef.cell, cell.getContext());
  return (
    <li className="grid gap-1.5 border-b border-line px-4 py-3 last:border-0">
      <div className="font-medium break-words">{lead === undefined ? null : drawn(lead)}</div>
      <dl className="grid gap-1">
        {rest.map((cell, at) => (
          <div key={cell.id} className="flex min-w-0 items-baseline justify-between gap-4">
            <dt className="shrink-0 text-xs text-soft">{list.columns[at + 1]?.title}</dt>
            <dd className="min-w-0 text-right break-words">{drawn(cell)}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
