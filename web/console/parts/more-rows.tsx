import { Button } from "./button.tsx";

interface MoreRowsProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): unknown;
  };
}

/** Below a list of which one page was read: what is on the next one can be seen, too. */
export function MoreRows({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: MoreRowsProps) {
  if (!hasNextPage) return null;
  return (
    <div className="p-3 text-center">
      <Button onClick={() => fetchNextPage()} disabled={isFetchingNextPage}>
        {isFetchingNextPage ? "One moment" : "Show more"}
      </Button>
    </div>
  );
}
