import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

/** What is known of a record: names and values, in columns where there is room. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 p-4 sm:grid-cols-2 xl:grid-cols-3">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-xs text-soft">{name}</dt>
          <dd className="break-words">{value ?? <span className="text-soft">–</span>}</dd>
        </div>
      ))}
    </dl>
  );
}

interface PanelProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ title, aside, children }: PanelProps) {
  return (
    <section className="card min-w-0 overflow-hidden">
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-1.5">
        <h2 className="font-semibold">{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
