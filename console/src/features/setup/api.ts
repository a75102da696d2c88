import { queryOptions, useMutation } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import type { SetupValues } from './setup.schema';
import type { Schemas } from '../../api/schemas';

export type SetupStatus = Schemas['SetupStatus'];

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
