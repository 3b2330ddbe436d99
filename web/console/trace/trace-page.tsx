import { useParams } from "@tanstack/react-router";
import { PageHead } from "../parts/page-head.tsx";
import { TracePanel } from "./trace-panel.tsx";

export function TracePage() {
  const { id } = useParams({ strict: false }) as { id: string };
  return (
    <>
      <PageHead title="Trace" about={<span className="font-mono text-xs break-all">{id}</span>} />
      <TracePanel id={id} isWhole />
    </>
  );
}
