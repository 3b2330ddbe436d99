import { useEffect } from "react";

interface ReturnLinkProps {
  readonly url: string;
  readonly children: string;
  /** Goes there by itself after so many seconds. */
  readonly afterSeconds?: number;
  readonly kind?: "primary" | "quiet";
}

/** Leaves for the merchant's page. Following the link by hand is never slower than waiting. */
export function ReturnLink({ url, children, afterSeconds, kind = "primary" }: ReturnLinkProps) {
  useEffect(() => {
    if (afterSeconds === undefined) return;
    const timer = setTimeout(() => window.location.assign(url), afterSeconds * 1_000);
    return () => clearTimeout(timer);
  }, [url, afterSeconds]);
  return (
    <a className={`button button-${kind}`} href={url} rel="noreferrer">
      {children}
    </a>
  );
}
