interface FigureProps {
  readonly name: string;
  readonly children: string;
}

export function Figure({ name, children }: FigureProps) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className="amount">{children}</dd>
    </div>
  );
}
