import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';

/**
 * A mutation after which everything below a query key is read again, whether it went well or not: a refused change may
 * have been refused because the list is old.
 * @param inline  the caller shows the failure where it happened; no toast
 */
export function useRefreshingMutation<V, R>(
  queryKey: readonly unknown[],
  mutationFn: (values: V) => Promise<R>,
  inline = false,
): UseMutationResult<R, Error, V> {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    meta: inline ? { failure: 'inline' } : undefined,
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

/** For what fills a form: it is filled once; what changes meanwhile must not change under the hands of who is typing. */
export const READ_FOR_FORM = { staleTime: Infinity, gcTime: 0 } as const;
