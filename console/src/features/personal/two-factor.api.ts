import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';
import type { Schemas } from '../../api/schemas';

export type TwoFactorStatus = Schemas['TwoFactorStatus'];

export const twoFactorQuery = queryOptions({
  queryKey: ['personal', 'two-factor'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/user/2fa/status', { signal })),
});

/** Begins an enrolment: a secret that counts once a code of it was seen. */
export function useBeginTwoFactor() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: () => dataOf(api.POST('/api/user/2fa/setup')),
  });
}

interface Proof {
  readonly code: string;
  readonly password: string;
}

/** Ends the enrolment; answers the recovery codes, which are seen once. */
export function useEnableTwoFactor() {
  return useRefreshingMutation(
    twoFactorQuery.queryKey,
    async (proof: Proof) => (await dataOf(api.POST('/api/user/2fa/enable', { body: proof }))).backup_codes,
    true,
  );
}

export function useDisableTwoFactor() {
  return useRefreshingMutation(
    twoFactorQuery.queryKey,
    (proof: Proof) => envelopeOf(api.POST('/api/user/2fa/disable', { body: proof })),
    true,
  );
}

/** New recovery codes; the former ones stop working. */
export function useRenewRecoveryCodes() {
  return useRefreshingMutation(
    twoFactorQuery.queryKey,
    async ({ code }: { code: string }) =>
      (await dataOf(api.POST('/api/user/2fa/backup_codes', { body: { code } }))).backup_codes,
    true,
  );
}
