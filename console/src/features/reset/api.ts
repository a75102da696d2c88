import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';

/** Asks for a reset link. The answer is the same whether or not the address belongs to an account. */
export function useRequestReset() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: ({ email, turnstile }: { email: string; turnstile: string | undefined }) =>
      envelopeOf(api.GET('/api/reset_password', { params: { query: { email, turnstile } } })),
  });
}

/** Redeems a reset link for a new password, which is seen once. */
export function useConfirmReset() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (link: { email: string; token: string }) =>
      dataOf(api.POST('/api/user/reset', { body: link })),
  });
}

/** Identities and passkeys that open the account whose password this browser has just reset. */
export const remainingMethodsQuery = queryOptions({
  queryKey: ['reset', 'methods'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/user/reset/methods', { signal })),
  staleTime: 0,
  gcTime: 0,
});

/** Takes all of it off the account. */
export function useReleaseMethods() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: () => envelopeOf(api.DELETE('/api/user/reset/methods')),
  });
}
