import type { Disclosure } from "./page-data.ts";

/** The server's own sentences: they are what the consent keeps. */
export function LoanTerms({ disclosure }: { readonly disclosure: Disclosure }) {
  return (
    <div className="terms">
      <h2>If you pay late</h2>
      <p>{disclosure.lateFee}</p>
      <h2>Conditions</h2>
      <ul>
        {disclosure.conditions.map((condition) => (
          <li key={condition}>{condition}</li>
        ))}
      </ul>
      <h2>Complaints</h2>
      <p>{disclosure.complaints}</p>
      {disclosure.lender.isSample ? <p>This is a sandbox: the lender is a sample, and no money is lent.</p> : null}
    </div>
  );
}
