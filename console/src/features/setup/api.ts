import { queryOptions, useMutation } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import { storedUser, type StoredUser } from '../../api/current-user';
import type { SetupValues } from './setup.schema';
import type { Schemas } from '../../api/schemas';

export type SetupStatus = Schemas['SetupStatus'];

export const setupStatusQuery = queryOptions({
  queryKey: ['setup', 'one'],
  queryFn: ({ signal }) => callForData<SetupStatus>('GET', '/api/setup', { signal }),
  staleTime: Infinity,
});

/** Sets the instance up and signs the new root account in; answers whether somebody is signed in now. */
export function useSetUp() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: async (values: SetupValues): Promise<boolean> => {
      await callForData<unknown>('POST', '/api/setup', {
        body: {
          username: values.username.trim(),
          password: values.password,
          confirmPassword: values.confirm,
          SelfUseModeEnabled: values.mode === 'self',
          DemoSiteEnabled: values.mode === 'demo',
          setup_token: values.token === '' ? undefined : values.token,
        },
      });
      return signIn(values);
    },
  });
}

/** The instance is set up whatever happens here: who is not signed in now uses the login page. */
async function signIn({ username, password }: SetupValues): Promise<boolean> {
  if (username === '') return false;
  try {
    const user = await callForData<StoredUser>('POST', '/api/user/login', {
      body: { username: username.trim(), password },
    });
    storedUser.write(user);
    return true;
  } catch {
    return false;
  }
}
