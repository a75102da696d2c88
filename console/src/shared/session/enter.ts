import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { accountZone } from '../format/zone';
import { storedUser, type StoredUser } from '../../api/current-user';
import { statusQuery } from './status';

/** Somebody signed in: what the former person saw is forgotten, then the new one is stored. */
function enter(client: QueryClient, user: StoredUser): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== statusQuery.queryKey[0] });
  sessionStorage.removeItem('expired');
  accountZone.clear();
  storedUser.write(user);
}

export function useEnter(): (user: StoredUser) => void {
  const client = useQueryClient();
  return useCallback((user: StoredUser) => enter(client, user), [client]);
}
