import { queryOptions } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';
import type { Schemas } from '../../api/schemas';
import { makePasskey, type CreationOptions } from '../../shared/identity/passkey-ceremony';

export type Passkey = Schemas['Passkey'];

export const passkeysQuery = queryOptions({
  queryKey: ['personal', 'passkeys'],
  queryFn: ({ signal }) => callForData<Schemas['PasskeyList']>('GET', '/api/user/passkey', { signal }),
});

/** Has the browser make a passkey and stores its public half. */
export function useAddPasskey() {
  return useRefreshingMutation(
    passkeysQuery.queryKey,
    async (name: string) => {
      const { options } = await callForData<{ options: CreationOptions }>(
        'POST',
        '/api/user/passkey/register/begin',
      );
      const credential = await makePasskey(options);
      await callForData<unknown>('POST', '/api/user/passkey/register/finish', { body: { name, credential } });
    },
    true,
  );
}

export function useRenamePasskey() {
  return useRefreshingMutation(
    passkeysQuery.queryKey,
    ({ id, name }: { id: number; name: string }) =>
      callForData<unknown>('PUT', `/api/user/passkey/${id}`, { body: { name } }),
    true,
  );
}

export function useDeletePasskey() {
  return useRefreshingMutation(
    passkeysQuery.queryKey,
    (id: number) => callForData<unknown>('DELETE', `/api/user/passkey/${id}`),
    true,
  );
}
