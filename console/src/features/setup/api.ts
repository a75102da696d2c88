import { queryOptions, useMutation } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import type { SetupValues } from './setup.schema';

export interface SetupStatus {
  /** The instance is set up. */
  readonly status: boolean;
  /** A root account exists. */
  readonly root_init: boolean;
  readonly database_type: string;
  /** The operator asks for the token the server was started with. */
  readonly token_required?: boolean;
}

export const setupStatusQuery = queryOptions({
  queryKey: ['setup', 'one'],
  queryFn: ({ signal }) => callForData<SetupStatus>('GET', '/api/setup', { signal }),
  staleTime: Infinity,
});

export function useSetUp() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (values: SetupValues) =>
      callForData<unknown>('POST', '/api/setup', {
        body: {
          username: values.username.trim(),
          password: values.password,
          confirmPassword: values.confirm,
          SelfUseModeEnabled: values.mode === 'self',
          DemoSiteEnabled: values.mode === 'demo',
          setup_token: values.token === '' ? undefined : values.token,
        },
      }),
  });
}
