import { api, envelopeOf } from '../../api/client';
import { useRefreshingMutation } from '../../api/use-refreshing-mutation';
import type { Provider } from '../../shared/identity/providers';
import { selfQuery } from '../../shared/session/self';

/** Binds a mail address by the code that was sent to it. */
export function useBindEmail() {
  return useRefreshingMutation(
    selfQuery.queryKey,
    (proof: { email: string; code: string }) =>
      envelopeOf(api.POST('/api/oauth/email/bind', { body: proof })),
    true,
  );
}

export function useBindWeChat() {
  return useRefreshingMutation(
    selfQuery.queryKey,
    (code: string) => envelopeOf(api.POST('/api/oauth/wechat/bind', { body: { code } })),
    true,
  );
}

export function useUnbind() {
  return useRefreshingMutation(
    selfQuery.queryKey,
    (name: Provider) =>
      envelopeOf(
        api.DELETE('/api/user/self/identities/{provider}', { params: { path: { provider: name } } }),
      ),
    true,
  );
}
