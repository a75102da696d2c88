import { api, dataOf, envelopeOf } from '../../api/client';
import type { RedirectProvider } from '../../shared/identity/providers';
import { takeTelegramState } from '../../shared/identity/telegram-bind';
import { readSignInAnswer, type SignInAnswer } from '../../shared/session/sign-in-answer';

/** Value of `message` in the API family: an identity was bound, without a login. */
const BOUND = 'bind';

export type CallbackResult = { readonly kind: 'bound' } | SignInAnswer;

/** Hands the code and the state of an outside service to the server. */
export async function completeExternalLogin(
  provider: RedirectProvider,
  query: Readonly<Record<string, string>>,
): Promise<CallbackResult> {
  const { message, data } = await envelopeOf(api.GET(`/api/oauth/${provider}`, { params: { query } }));
  return message === BOUND ? { kind: 'bound' } : readSignInAnswer(data);
}

/** Members that Telegram signed, and others that are passed on as they came. */
export type TelegramAnswer = Readonly<Record<'id' | 'auth_date' | 'hash', string>>;

export const isTelegramAnswer = (query: object): query is TelegramAnswer =>
  'id' in query && 'auth_date' in query && 'hash' in query;

/** Hands the members Telegram signed to the server. */
export async function finishTelegram(
  intent: 'login' | 'bind',
  signed: TelegramAnswer,
): Promise<CallbackResult> {
  if (intent === 'login') {
    return readSignInAnswer(
      await dataOf(api.GET('/api/oauth/telegram/login', { params: { query: signed } })),
    );
  }
  await envelopeOf(api.POST('/api/oauth/telegram/bind', { body: { ...signed, state: takeTelegramState() } }));
  return { kind: 'bound' };
}
