/** The same rows on a phone: each a card, the leading column on top. */
import { Link } from "@tanstack/react-router";
import { flexRender } from "@tanstack/react-table";
import { type RowsProps, useDrawnRows } from "./row-table.tsx";

const usualHeight = 150;

export function RowCards<Row>(props: RowsProps<Row>) {
  const { list, open, isBusy } = props;
  const { place, drawn, before, after } = useDrawnRows<Row, HTMLUListElement>(props, usualHeight);
  return (
    <ul ref={place} aria-busy={isBusy} style={{ paddingTop: before, paddingBottom: after }}>
      {drawn.map(({ index, row }) => {
        if (row === undefined) {
          return (
            <li key={index} className="h-[150px] border-b border-line p-4 last:border-0">
              <div className="skeleton h-4 w-2/3" />
              <span className="sr-only">Loading</span>
            </li>
          );
        }
        const target = open?.(row.original);
        const cells = row.getVisibleCells();
        const [lead, ...rest] = cells;
        return (
          <li key={row.id} className="grid gap-1.5 border-b border-line px-4 py-3 last:border-0">
            <div className="font-medium break-words">
              {lead === undefined ? null : target === undefined ? (
                flexRender(lead.column.columnDef.cell, lead.getContext())
              ) : (
                <Link data-row to={target.to} className="underline decoration-strong underline-offset-4">
                  {flexRender(lead.column.columnDef.cell, lead.getContext())}
                </Link>
              )}
            </div>
            <dl className="grid gap-1">
              {rest.map((cell, at) => (
                <div key={cell.id} className="flex min-w-0 items-baseline justify-between gap-4">
                  <dt className="shrink-0 text-xs text-soft">{list.columns[at + 1]?.title}</dt>
                  <dd className="min-w-0 text-right break-words">
                    {flexRender(cell.column.columnDef.cell, cell.getContext())}
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}
