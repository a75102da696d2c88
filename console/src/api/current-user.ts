import * as z from 'zod/mini';
import { storedValue } from '../shared/browser/stored';
import { useStored } from '../shared/browser/use-stored';

export const ROLE = { user: 1, administrator: 10, root: 100 } as const;

export const storedUserSchema = z.looseObject({
  id: z.number(),
  username: z.string(),
  display_name: z._default(z.string(), ''),
  role: z.number(),
  status: z._default(z.number(), 1),
  group: z._default(z.string(), ''),
});

/** Who is signed in, as the login answer said. */
export type StoredUser = z.infer<typeof storedUserSchema>;

/** Key `user` of the API family. */
export const storedUser = storedValue<StoredUser | null>({
  key: 'user',
  schema: z.nullable(storedUserSchema),
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
