import { useMutation, useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api, envelopeOf } from '../../api/client';
import { toast } from '../feedback/toast';
import { storedUser } from '../../api/current-user';
import { statusQuery } from './status';

/** Ends the session on the server, forgets the user and everything they saw, goes to the login page. */
export function useSignOut() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => envelopeOf(api.POST('/api/user/logout')),
    onSuccess: async () => {
      // The guard of the page that is left notices at once and remembers a way back. Whoever signs out wants none: this
      // navigation comes after that one.
      flushSync(() => storedUser.clear());
      await navigate('/login', { state: null });
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== statusQuery.queryKey[0] });
      toast('success', t('shell.signedOut'));
    },
  });
}
