import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../api/client';
import { storedUser } from '../../api/current-user';
import { readSignInAnswer } from '../../shared/session/sign-in-answer';
import type { SetupValues } from './setup.schema';
import type { Schemas } from '../../api/schemas';

export type SetupStatus = Schemas['SetupStatus'];

export const setupStatusQuery = queryOptions({
  queryKey: ['setup', 'one'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/setup', { signal })),
  staleTime: Infinity,
});

/** Sets the instance up and signs the new root account in. Returns true when signed in. */
export function useSetUp() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: async (values: SetupValues): Promise<boolean> => {
      await envelopeOf(
        api.POST('/api/setup', {
          body: {
            username: values.username.trim(),
            password: values.password,
            confirmPassword: values.confirm,
            SelfUseModeEnabled: values.mode === 'self',
            DemoSiteEnabled: values.mode === 'demo',
            setup_token: values.token === '' ? undefined : values.token,
          },
        }),
      );
      return signIn(values);
    },
  });
}

/** The instance is set up whatever happens here: who is not signed in now uses the login page. */
async function signIn({ username, password }: SetupValues): Promise<boolean> {
  if (username === '') return false;
  try {
    const answer = readSignInAnswer(
      await dataOf(api.POST('/api/user/login', { body: { username: username.trim(), password } })),
    );
    if (answer.kind !== 'user') return false;
    storedUser.write(answer.user);
    return true;
  } catch {
    return false;
  }
}
