import { useMutation } from '@tanstack/react-query';
import { api, envelopeOf } from '../../api/client';

/** Purpose of a code: an address for the account, or one for warnings. */
export type CodePurpose = 'account' | 'notification';

interface CodeWish {
  readonly email: string;
  readonly purpose: CodePurpose;
  readonly turnstile: string | undefined;
}

/** Sends a code to a mail address, to show that it is one's own. */
export function useSendCode() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: ({ email, purpose, turnstile }: CodeWish) =>
      envelopeOf(
        api.GET('/api/verification', {
          params: { query: { email, turnstile, purpose: purpose === 'account' ? undefined : purpose } },
        }),
      ),
  });
}
