/** Reading and writing from a page. What one page has read, another shows at once while it is read again. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Params, read, readPage, type Write, write } from "./client.ts";
import { useRoom } from "./place.ts";

interface RecordOptions<Data> {
  readonly params?: Params;
  /** How soon to look again, for a record that will change by itself. */
  readonly again?: (data: Data | undefined) => number | false;
  readonly enabled?: boolean;
}

export function useRecord<Data>(path: string, { params = {}, again, enabled = true }: RecordOptions<Data> = {}) {
  const { door, key } = useRoom();
  return useQuery<Data>({
    queryKey: [key, path, params],
    queryFn: () => read<Data>(door, path, params),
    enabled,
    ...(again === undefined ? {} : { refetchInterval: ({ state }) => again(state.data) }),
  });
}

const rowsPerPage = 50;

export function useList<Row>(path: string, params: Params = {}, { enabled = true } = {}) {
  const { door, key } = useRoom();
  return useInfiniteQuery({
    queryKey: [key, path, params, "pages"],
    queryFn: ({ pageParam }) => readPage<Row>(door, path, { ...params, page: pageParam, limit: rowsPerPage }),
    initialPageParam: 1,
    getNextPageParam: ({ nextPage }) => nextPage,
    placeholderData: keepPreviousData,
    enabled,
  });
}

export interface Action extends Write {
  readonly path: string;
  /** Done once the first has succeeded. Asked again after a failure, both are sent again under the keys that they had. */
  readonly next?: Write & { readonly path: string };
}

/** Does something, then looks at everything in this room again: money has moved, and many pages show it. */
export function useAction<Data>() {
  const { door, key } = useRoom();
  const queries = useQueryClient();
  return useMutation<Data, unknown, Action>({
    mutationFn: async ({ path, next, ...request }) => {
      const first = await write<Data>(door, path, request);
      return next === undefined ? first : write<Data>(door, next.path, next);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [key] }),
  });
}
