import { storedValue } from '../shared/browser/stored';
import { useStored } from '../shared/browser/use-stored';
import { isRecord } from '../shared/format/json';
import type { Schemas } from './schemas';

export const ROLE = { user: 1, administrator: 10, root: 100 } as const;

/** The signed-in account, from the login answer. */
export type StoredUser = Pick<
  Schemas['User'],
  'id' | 'username' | 'display_name' | 'role' | 'status' | 'group'
>;

/** A user with whatever else is known of them; undefined when it is none. */
export function userIn(value: unknown): StoredUser | undefined {
  if (!isRecord(value)) return undefined;
  const { id, username, role, display_name = '', status = 1, group = '' } = value;
  if (typeof id !== 'number' || typeof username !== 'string' || typeof role !== 'number') return undefined;
  if (typeof display_name !== 'string' || typeof status !== 'number' || typeof group !== 'string')
    return undefined;
  return { ...value, id, username, role, display_name, status, group };
}

/** Key `user` of the API family. */
export const storedUser = storedValue<StoredUser | null>({
  key: 'user',
  parse: userIn,
  fallback: null,
  form: 'json',
});

/** Number for the user-id header; -1 for a guest. */
export function currentUserId(): number {
  return storedUser.read()?.id ?? -1;
}

export function useCurrentUser(): StoredUser | null {
  return useStored(storedUser);
}

export function isAdministrator(user: StoredUser | null): boolean {
  return user !== null && user.role >= ROLE.administrator;
}

export function isRoot(user: StoredUser | null): boolean {
  return user !== null && user.role >= ROLE.root;
}
