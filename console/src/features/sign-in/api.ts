import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callForData } from '../../api/client';
import { storedInviteCode } from '../../shared/browser/stored';
import { storedUser, type StoredUser } from '../../shared/session/current-user';
import { statusQuery } from '../../shared/session/status';
import type { LoginValues, RegisterValues } from './sign-in.schema';

/** Stores who signed in; what the former person saw is forgotten. */
export function useLogin() {
  const client = useQueryClient();
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (values: LoginValues) =>
      callForData<StoredUser>('POST', '/api/user/login', {
        body: { username: values.username.trim(), password: values.password },
      }),
    onSuccess: (user) => {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== statusQuery.queryKey[0] });
      sessionStorage.removeItem('expired');
      storedUser.write(user);
    },
  });
}

export function useRegister() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (values: RegisterValues) => {
      const inviteCode = storedInviteCode.read();
      return callForData<unknown>('POST', '/api/user/register', {
        body: {
          username: values.username.trim(),
          password: values.password,
          password2: values.confirm,
          aff_code: inviteCode === '' ? undefined : inviteCode,
        },
      });
    },
  });
}
