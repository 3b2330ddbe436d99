import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";

interface PageFrameProps {
  readonly environment: "SANDBOX" | "LIVE" | null;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}

/** What surrounds every step of a hosted page: whose it is, whether money is real, and that it is safe. */
export function PageFrame({ environment, children, footer }: PageFrameProps) {
  return (
    <div className="frame">
      <header className="frame-header">
        <Wordmark />
        {environment === "SANDBOX" ? <span className="badge">Test mode: no real money</span> : null}
      </header>
      {children}
      <footer className="frame-footer">
        <p className="secure">
          <Icon name="lock" />
          <span>Secured by Jara</span>
        </p>
        {footer}
      </footer>
    </div>
  );
}

function Wordmark() {
  return (
    <span className="wordmark">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="9" className="mark-ground" />
        <path d="M18.5 8v10.2a4.3 4.3 0 0 1-8.6 0" className="mark-letter" />
        <path d="M23.4 20.6v5M20.9 23.1h5" className="mark-plus" />
      </svg>
      <span>Jara</span>
    </span>
  );
}
