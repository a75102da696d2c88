import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type ChatLink, fillChatLink, useChatLinks } from '../../shared/chat/chat-links';
import { toast } from '../../shared/feedback/toast';
import { useServerAddress } from '../../shared/session/status';
import { chatKeyQuery } from './api';

/** State of the chat page. */
export type Chat =
  | { readonly state: 'loading' | 'no-token' }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly state: 'misconfigured'; readonly text: 'chat.broken' | 'chat.none' | 'chat.unknown' }
  | { readonly state: 'ready'; readonly link: ChatLink; readonly url: string };

/** Time the message stays before the token page opens. */
const REDIRECT_MS = 1_500;

/** A configured chat page, filled in for the person who is signed in. Without a token it leads to where one is made. */
export function useChat(index: number): Chat {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const links = useChatLinks();
  const address = useServerAddress();
  const key = useQuery({ ...chatKeyQuery, enabled: links !== 'broken' && links.length > 0 });
  const hasNoToken = key.data === null;
  useEffect(() => {
    if (!hasNoToken) return undefined;
    toast('warning', t('chat.noToken'));
    const timer = setTimeout(() => void navigate('/token', { replace: true }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [hasNoToken, navigate, t]);

  if (links === 'broken') return { state: 'misconfigured', text: 'chat.broken' };
  if (links.length === 0) return { state: 'misconfigured', text: 'chat.none' };
  const link = links[index];
  if (link === undefined) return { state: 'misconfigured', text: 'chat.unknown' };
  if (hasNoToken) return { state: 'no-token' };
  if (typeof key.data === 'string')
    return { state: 'ready', link, url: fillChatLink(link, { address, key: key.data }) };
  if (key.isError) return { state: 'failed', error: key.error, retry: () => void key.refetch() };
  return { state: 'loading' };
}
