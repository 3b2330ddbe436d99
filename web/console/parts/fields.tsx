/** Labelled inputs. A mistake is tied to its input, so that it is read out with it. */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";

interface Labelled {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly mistake?: string | undefined;
}

type TextProps = Labelled & InputHTMLAttributes<HTMLInputElement>;

export function TextField({ label, hint, mistake, ...input }: TextProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} mistake={mistake}>
      <input
        id={id}
        className="field"
        aria-invalid={mistake !== undefined}
        aria-describedby={describedBy(id, hint, mistake)}
        {...input}
      />
    </Frame>
  );
}

type AreaProps = Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>;

/** Several lines. */
export function AreaField({ label, hint, mistake, ...area }: AreaProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} mistake={mistake}>
      <textarea
        id={id}
        className="field min-h-24 py-2"
        aria-invalid={mistake !== undefined}
        aria-describedby={describedBy(id, hint, mistake)}
        {...area}
      />
    </Frame>
  );
}

type ChoiceProps = Labelled & SelectHTMLAttributes<HTMLSelectElement> & { readonly children: ReactNode };

export function ChoiceField({ label, hint, mistake, children, ...select }: ChoiceProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} mistake={mistake}>
      <select
        id={id}
        className="field"
        aria-invalid={mistake !== undefined}
        aria-describedby={describedBy(id, hint, mistake)}
        {...select}
      >
        {children}
      </select>
    </Frame>
  );
}

function describedBy(id: string, hint: string | undefined, mistake: string | undefined): string | undefined {
  return hint === undefined && mistake === undefined ? undefined : `${id}-note`;
}

type FrameProps = Labelled & { readonly id: string; readonly children: ReactNode };

function Frame({ id, label, hint, mistake, children }: FrameProps) {
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {hint === undefined && mistake === undefined ? null : (
        <p id={`${id}-note`} className={`text-xs ${mistake === undefined ? "text-soft" : "text-danger"}`}>
          {mistake ?? hint}
        </p>
      )}
    </div>
  );
}
