import { useMutation } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';

/** Asks the server to read a provider's discovery document: the browser may not call other sites. */
export function useDiscoverOidc() {
  return useMutation({
    mutationFn: (wellKnown: string) =>
      dataOf(api.POST('/api/oauth/oidc/discover', { body: { well_known: wellKnown } })),
    meta: { failure: 'inline' },
  });
}

/** Sends a mail by what is stored. */
export function useSendTestMail() {
  return useMutation({
    mutationFn: (to: string) => envelopeOf(api.POST('/api/option/test_mail', { body: { to } })),
    meta: { failure: 'inline' },
  });
}

/** Sends a test alert to all receivers, by the stored settings. */
export function useSendTestAlert() {
  return useMutation({
    mutationFn: () => dataOf(api.POST('/api/operations/alerts/test')),
    meta: { failure: 'inline' },
  });
}
