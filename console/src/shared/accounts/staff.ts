import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { isAdministrator, isRoot, ROLE, useCurrentUser } from '../../api/current-user';

const PAGE = 100;
const FRESH_MS = 300_000;

/** Numbers of administrators and roots, whose accounts administrators below root cannot open. */
const staffQuery = queryOptions({
  queryKey: ['accounts', 'staff'],
  queryFn: async ({ signal }) => {
    const pages = await Promise.all(
      [ROLE.administrator, ROLE.root].map((role) =>
        dataOf(
          api.GET('/api/user/search', {
            params: { query: { role, p: 1, page_size: PAGE, deregistered: '' } },
            signal,
          }),
        ),
      ),
    );
    return pages.flatMap(({ items }) => items.map(({ id }) => id));
  },
  staleTime: FRESH_MS,
  retry: false,
});

/**
 * Returns true when the reader may open the page of an account: administrators that of ordinary accounts and their own, root every one.
 * The server decides in the end.
 * @param role  of the account; undefined = not known, so that the list of administrators decides
 */
export function useMayOpenAccount(id: number, role?: number): boolean {
  const actor = useCurrentUser();
  const needsStaff = id > 0 && isAdministrator(actor) && !isRoot(actor) && role === undefined;
  const staff = useQuery({ ...staffQuery, enabled: needsStaff }).data;
  if (id <= 0 || actor === null || !isAdministrator(actor)) return false;
  if (isRoot(actor) || actor.id === id) return true;
  return role === undefined ? staff !== undefined && !staff.includes(id) : role < actor.role;
}
