import type { ReactNode } from "react";
import { useEffect } from "react";

interface PageHeadProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}

/** The page's one heading, with what can be done here beside it. It also names the tab. */
export function PageHead({ title, about, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Jara`;
  }, [title]);
  return (
    <header className="mb-4 flex flex-wrap items-end justify-between gap-3">
      <div className="min-w-0">
        <h1 className="text-2xl font-semibold tracking-tight break-words">{title}</h1>
        {about === undefined ? null : <div className="text-soft">{about}</div>}
      </div>
      {children === undefined ? null : <div className="flex flex-wrap gap-2">{children}</div>}
    </header>
  );
}
