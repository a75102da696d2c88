import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Item that is open beside a list, as a search parameter: can be linked, and survives a reload. */
export function useOpenParameter(
  name: string,
): [value: string | null, open: (value: string) => void, close: () => void] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (value: string | null) =>
      setSearch((previous) => {
        const next = new URLSearchParams(previous);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      }),
    [name, setSearch],
  );
  return [
    search.get(name),
    useCallback((value: string) => change(value), [change]),
    useCallback(() => change(null), [change]),
  ];
}
