/** The shape of what is coming, so that nothing jumps when it is there. */
export function Loading({ text }: { readonly text: string }) {
  return (
    <main className="panel loading" aria-busy="true">
      <div role="status" className="visually-hidden">
        <h1>{text}</h1>
      </div>
      <span className="bone bone-title" />
      <span className="bone" />
      <span className="bone bone-short" />
      <span className="bone bone-block" />
      <span className="bone bone-button" />
    </main>
  );
}
