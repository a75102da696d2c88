import { useMutation } from '@tanstack/react-query';
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
