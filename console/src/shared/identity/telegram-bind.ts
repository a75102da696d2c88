import { useMutation } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

/** Telegram returns nothing but its own members, so the state of a binding waits in this tab. */
const STATE_KEY = 'telegram-bind-state';

/** Writes down on the server that the signed-in account is to be bound. */
export function useBeginTelegramBind() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: async () => {
      const { state } = await dataOf(
        api.POST('/api/oauth/start', { body: { provider: 'telegram', intent: 'bind' } }),
      );
      sessionStorage.setItem(STATE_KEY, state);
    },
  });
}

/** The waiting state, once; empty when none waits. */
export function takeTelegramState(): string {
  const state = sessionStorage.getItem(STATE_KEY) ?? '';
  sessionStorage.removeItem(STATE_KEY);
  return state;
}
