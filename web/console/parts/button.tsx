import type { ButtonHTMLAttributes } from "react";

const looks = {
  primary: "bg-brand text-on-brand hover:bg-brand-strong border-transparent",
  plain: "bg-paper text-ink border-strong hover:bg-hover",
  quiet: "bg-transparent text-soft border-transparent hover:bg-hover hover:text-ink",
  danger: "bg-paper text-danger border-danger hover:bg-danger-tint",
} as const;

export type ButtonLook = keyof typeof looks;

/** For what looks like a button and is a link. */
export function buttonClass(look: ButtonLook = "plain", className = ""): string {
  const shape =
    "inline-flex min-h-9 items-center justify-center gap-1.5 rounded-lg border px-3 py-1 text-sm font-medium disabled:opacity-60";
  return `${shape} ${looks[look]} ${className}`;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: ButtonLook;
}

export function Button({ look = "plain", className = "", type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={buttonClass(look, className)} {...rest} />;
}
