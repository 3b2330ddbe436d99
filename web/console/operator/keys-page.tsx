import { IssueKey, KeyList } from "../developers/key-list.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { useId } from "../parts/record-view.tsx";

/** The keys of one environment, for operators. */
export function KeysPage() {
  const id = useId();
  const path = `/environments/${id}/keys`;
  return (
    <>
      <PageHead title="Keys" about={<span className="font-mono text-xs">{id}</span>}>
        <IssueKey path={path} />
      </PageHead>
      <KeyList path={path} />
    </>
  );
}
