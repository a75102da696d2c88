import ForumOutlined from '@mui/icons-material/ForumOutlined';
import OpenInNewRounded from '@mui/icons-material/OpenInNewRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { leave } from '../../shared/browser/leave';
import { isWebLink, useChatLinks } from '../../shared/chat/chat-links';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { useSystemName } from '../../shared/session/status';
import { type Chat, useChat } from './use-chat';

/** A configured chat page in a frame; apps on the reader's machine are offered as a link. */
export function ChatPage() {
  const { id = '0' } = useParams();
  const chat = useChat(/^\d{1,3}$/.test(id) ? Number(id) : -1);
  return <ChatPlace key={id} chat={chat} />;
}

/** Leads on to the first chat page. */
export function ChatToLinkPage() {
  const links = useChatLinks();
  const first = links === 'broken' ? 0 : Math.max(0, links.findIndex(isWebLink));
  const chat = useChat(first);
  const url = chat.state === 'ready' ? chat.url : undefined;
  useEffect(() => {
    if (url !== undefined) leave.replacing(url);
  }, [url]);
  return chat.state === 'ready' ? <Loading /> : <ChatPlace chat={chat} />;
}

function ChatPlace({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  switch (chat.state) {
    case 'loading':
      return <Loading />;
    case 'failed':
      return <Failed title={t('chat.failed')} error={chat.error} onRetry={chat.retry} />;
    case 'no-token':
      return (
        <Empty
          isPage
          icon={<ForumOutlined />}
          title={t('chat.noToken')}
          explanation={t('chat.noTokenNext')}
        />
      );
    case 'misconfigured':
      return <Empty isPage icon={<ForumOutlined />} title={t(chat.text)} explanation={t('chat.where')} />;
    case 'ready':
      return <ChatReady chat={chat} />;
  }
}

function ChatReady({ chat: { link, url } }: { chat: Extract<Chat, { state: 'ready' }> }) {
  const { t } = useTranslation();
  const systemName = useSystemName();
  if (isWebLink(link))
    return (
      <>
        <title>{`${link.name} · ${systemName}`}</title>
        <Box component="h1" sx={visuallyHidden}>
          {link.name}
        </Box>
        <Box
          component="iframe"
          src={url}
          title={link.name}
          allow="clipboard-write; microphone; camera"
          referrerPolicy="no-referrer"
          sx={{ display: 'block', border: 0, width: '100%', height: 'calc(100dvh - 56px)' }}
        />
      </>
    );
  return (
    <Empty
      isPage
      icon={<ForumOutlined />}
      title={t('chat.app', { name: link.name })}
      explanation={t('chat.appText')}
      action={
        <Button variant="contained" href={url} rel="noreferrer" startIcon={<OpenInNewRounded />}>
          {t('chat.open', { name: link.name })}
        </Button>
      }
    />
  );
}
