import { useMutation } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { leave } from '../browser/leave';
import type { RedirectProvider } from './providers';

interface Start {
  readonly provider: RedirectProvider;
  /** Decided before leaving: a way back cannot be turned into the other one. */
  readonly intent: 'login' | 'bind';
  /** Inviter of a new account; empty for none. */
  readonly inviteCode?: string;
}

/** Sends the visitor to an outside service; they come back to /oauth/{provider}. */
export function useStartOutside() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: async ({ provider, intent, inviteCode = '' }: Start) => {
      const { url } = await dataOf(
        api.POST('/api/oauth/start', {
          body: { provider, intent, aff: inviteCode === '' ? undefined : inviteCode },
        }),
      );
      leave.for(url);
    },
  });
}
