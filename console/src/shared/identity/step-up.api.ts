import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { provePasskey } from './passkey-ceremony';

/** Proofs that the account can give. */
export const stepUpMethodsQuery = queryOptions({
  queryKey: ['fresh-proof', 'methods'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/verify/status', { signal })),
  staleTime: 0,
  gcTime: 0,
});

export type StepUpMethod = Schemas['FreshStatus']['methods'][number];

/** Proves by the password or by a code of the authenticator app. */
export function proveByText(method: 'password' | '2fa', text: string): Promise<unknown> {
  const body = method === 'password' ? { method, password: text } : { method, code: text };
  return envelopeOf(api.POST('/api/verify', { body }));
}

export async function proveByPasskey(): Promise<void> {
  const { options } = await dataOf(api.POST('/api/user/passkey/verify/begin'));
  const credential = await provePasskey(options);
  await envelopeOf(api.POST('/api/user/passkey/verify/finish', { body: { credential } }));
}
