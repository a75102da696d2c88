import { userIn, type StoredUser } from '../../api/current-user';
import type { Schemas } from '../../api/schemas';

/** Answer of a sign-in method: the account, or a request for a code. */
export type SignInAnswer =
  | { readonly kind: 'user'; readonly user: StoredUser }
  | { readonly kind: 'second-factor'; readonly ticket: string };

/** Fails: Error when the answer is neither. */
export function readSignInAnswer(data: Schemas['SignInAnswer'] | undefined): SignInAnswer {
  if (data !== undefined && 'require_2fa' in data) return { kind: 'second-factor', ticket: data.ticket };
  const user = userIn(data);
  if (user === undefined) throw new Error('the answer to a sign-in names no user');
  return { kind: 'user', user };
}
