import { call, callForData } from '../../api/client';
import type { RedirectProvider } from '../../shared/identity/providers';
import { takeTelegramState } from '../../shared/identity/telegram-bind';
import { readSignInAnswer, type SignInAnswer } from '../../shared/session/sign-in-answer';

/** Word of the API family in `message`: an identity was bound, nobody signed in. */
const BOUND = 'bind';

export type CallbackResult = { readonly kind: 'bound' } | SignInAnswer;

/** Hands the code and the state of an outside service to the server. */
export async function finishOutside(
  provider: RedirectProvider,
  query: Readonly<Record<string, string>>,
): Promise<CallbackResult> {
  const { message, data } = await call<unknown>('GET', `/api/oauth/${provider}`, { query });
  return message === BOUND ? { kind: 'bound' } : readSignInAnswer(data);
}

/** Hands the members Telegram signed to the server. */
export async function finishTelegram(
  intent: 'login' | 'bind',
  signed: Readonly<Record<string, string>>,
): Promise<CallbackResult> {
  if (intent === 'login') {
    return readSignInAnswer(
      await callForData<unknown>('GET', '/api/oauth/telegram/login', { query: signed }),
    );
  }
  await callForData<unknown>('POST', '/api/oauth/telegram/bind', {
    body: { ...signed, state: takeTelegramState() },
  });
  return { kind: 'bound' };
}
