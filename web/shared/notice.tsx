import type { ReactNode } from "react";
import { Icon, type IconName } from "./icons.tsx";

type Tone = "problem" | "warning" | "info" | "sandbox";

const icons: Readonly<Record<Tone, IconName>> = {
  problem: "warning",
  warning: "clock",
  info: "info",
  sandbox: "flask",
};

interface NoticeProps {
  readonly tone: Tone;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A problem is read out as soon as it appears; the others wait for their turn. */
export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`} role={tone === "problem" ? "alert" : undefined}>
      <Icon name={icons[tone]} />
      <div>
        {title === undefined ? null : <p className="notice-title">{title}</p>}
        {children}
      </div>
    </div>
  );
}
