import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { accountZone } from '../format/zone';
import { storedUser, type StoredUser } from '../../api/current-user';
import { statusQuery } from './status';

/** Stores a new login: the former person's data is removed first. */
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
