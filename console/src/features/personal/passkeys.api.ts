import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';
import type { Schemas } from '../../api/schemas';
import { makePasskey } from '../../shared/identity/passkey-ceremony';

export type Passkey = Schemas['Passkey'];

export const passkeysQuery = queryOptions({
  queryKey: ['personal', 'passkeys'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/user/passkey', { signal })),
});

/** Has the browser make a passkey and stores its public half. */
export function useAddPasskey() {
  return useRefreshingMutation(
    passkeysQuery.queryKey,
    async (name: string) => {
      const { options } = await dataOf(api.POST('/api/user/passkey/register/begin', { body: {} }));
      const credential = await makePasskey(options);
      await envelopeOf(api.POST('/api/user/passkey/register/finish', { body: { name, credential } }));
    },
    true,
  );
}

export function useRenamePasskey() {
  return useRefreshingMutation(
    passkeysQuery.queryKey,
    ({ id, name }: { id: number; name: string }) =>
      envelopeOf(api.PUT('/api/user/passkey/{id}', { params: { path: { id } }, body: { name } })),
    true,
  );
}

export function useDeletePasskey() {
  return useRefreshingMutation(
    passkeysQuery.queryKey,
    (id: number) => envelopeOf(api.DELETE('/api/user/passkey/{id}', { params: { path: { id } } })),
    true,
  );
}
