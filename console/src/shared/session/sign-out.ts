import { useMutation, useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api, envelopeOf } from '../../api/client';
import { toast } from '../feedback/toast';
import { currentUserId, storedUser } from '../../api/current-user';
import { useConfirm } from '../dialog/confirm';
import { clearDrafts, forgetConversations, storedConversationOwners } from './kept-conversations';
import { statusQuery } from './status';

/**
 * Ends the session on the server, forgets the user and everything they saw, goes to the login page. Where this browser keeps
 * conversations of the account, the reader decides whether they stay.
 */
export function useSignOut() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const confirm = useConfirm();
  return useMutation({
    mutationFn: async () => {
      const userId = currentUserId();
      const isForgetting =
        storedConversationOwners.read().includes(userId) &&
        (await confirm({
          title: t('shell.conversations.title'),
          consequence: t('shell.conversations.text'),
          action: t('shell.conversations.delete'),
          refusal: t('shell.conversations.keep'),
        }));
      await envelopeOf(api.POST('/api/user/logout'));
      return isForgetting ? userId : undefined;
    },
    onSuccess: async (forgottenId) => {
      // The guard of the page that is left notices at once and remembers a way back. A logout needs none: this
      // navigation comes after that one.
      flushSync(() => storedUser.clear());
      await navigate('/login', { state: null });
      clearDrafts();
      if (forgottenId !== undefined) await forgetConversations(forgottenId);
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== statusQuery.queryKey[0] });
      toast('success', t('shell.signedOut'));
    },
  });
}
