import { queryOptions } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import type { Schemas } from '../../api/schemas';
import { provePasskey, type RequestOptions } from './passkey-ceremony';

/** How the account can prove itself. */
export const proofMethodsQuery = queryOptions({
  queryKey: ['fresh-proof', 'methods'],
  queryFn: ({ signal }) => callForData<Schemas['FreshStatus']>('GET', '/api/verify/status', { signal }),
  staleTime: 0,
  gcTime: 0,
});

export type ProofMethod = Schemas['FreshStatus']['methods'][number];

/** Proves by the password or by a code of the authenticator app. */
export function proveByText(method: 'password' | '2fa', text: string): Promise<unknown> {
  const body = method === 'password' ? { method, password: text } : { method, code: text };
  return callForData<unknown>('POST', '/api/verify', { body });
}

export async function proveByPasskey(): Promise<void> {
  const { options } = await callForData<{ options: RequestOptions }>(
    'POST',
    '/api/user/passkey/verify/begin',
  );
  const credential = await provePasskey(options);
  await callForData<unknown>('POST', '/api/user/passkey/verify/finish', { body: { credential } });
}
