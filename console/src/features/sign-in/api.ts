import { useMutation } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import { storedInviteCode } from '../../shared/browser/stored';
import { readSignInAnswer } from '../../shared/session/sign-in-answer';
import type { LoginValues, RegisterValues } from './sign-in.schema';

/** The proof of the human check, when one is required. */
interface Proven {
  readonly turnstile: string | undefined;
}

export function usePasswordLogin() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: async ({
      username,
      password,
      turnstile,
      unlock,
    }: LoginValues & Proven & { readonly unlock: string | undefined }) => {
      const { data, default_password: isDefaultPassword } = await envelopeOf(
        api.POST('/api/user/login', {
          params: { query: { turnstile } },
          body: { username: username.trim(), password, unlock },
        }),
      );
      // The server recognises common passwords, and warns administrators of them.
      return { answer: readSignInAnswer(data), isDefaultPassword: isDefaultPassword === true };
    },
  });
}

/** Asks for a letter whose link ends the waiting. The answer is the same whether or not there is such an account. */
export function useRequestUnlockEmail() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: ({ username, turnstile }: { username: string } & Proven) =>
      envelopeOf(
        api.POST('/api/user/login/unlock', {
          params: { query: { turnstile } },
          body: { username: username.trim() },
        }),
      ),
  });
}

export function useSecondFactor() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: ({ ticket, code }: { ticket: string; code: string }) =>
      dataOf(api.POST('/api/user/login/2fa', { body: { ticket, code } })),
  });
}

/** Signs in by a passkey that the browser or its authenticator offers; no name is typed. */
export function usePasskeyLogin() {
  return useMutation({
    mutationFn: async () => {
      const { options } = await dataOf(api.POST('/api/user/passkey/login/begin'));
      const { provePasskey } = await import('../../shared/identity/passkey-ceremony');
      const credential = await provePasskey(options);
      return readSignInAnswer(
        await dataOf(api.POST('/api/user/passkey/login/finish', { body: { credential } })),
      );
    },
  });
}

export function useWeChatLogin() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: async (code: string) =>
      readSignInAnswer(await dataOf(api.GET('/api/oauth/wechat', { params: { query: { code } } }))),
  });
}

export function useRegister() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: ({ turnstile, ...values }: RegisterValues & Proven) => {
      const inviteCode = storedInviteCode.read();
      return envelopeOf(
        api.POST('/api/user/register', {
          params: { query: { turnstile } },
          body: {
            username: values.username.trim(),
            password: values.password,
            password2: values.confirm,
            email: values.email === '' ? undefined : values.email,
            verification_code: values.code === '' ? undefined : values.code,
            aff_code: inviteCode === '' ? undefined : inviteCode,
          },
        }),
      );
    },
    // One account per invite: the next one made here is not this friend's doing.
    onSuccess: () => storedInviteCode.clear(),
  });
}
