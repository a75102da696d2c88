import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { CopyButton } from '../../shared/value/copyable';
import type { Message } from './conversation';
import { lazyPart } from '../../shared/feedback/lazy-part';

const ModelText = lazyPart(async () => (await import('./model-text')).ModelText);

/** So near to the end that the reader means the end. */
const NEAR_PX = 80;

/** What was said, the newest below. Follows it while the reader is at the end. */
export function MessageList({ messages }: { messages: readonly Message[] }) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current && list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [messages]);
  return (
    <Box
      ref={list}
      role="log"
      aria-label={t('playground.conversation')}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
      sx={{
        flex: 1,
        minHeight: 0,
        overflowY: 'auto',
        p: { xs: 1.5, sm: 2 },
        display: 'grid',
        gap: 1.5,
        alignContent: 'start',
      }}
    >
      {messages.length === 0 && (
        <Empty title={t('playground.empty')} explanation={t('playground.emptyText')} />
      )}
      {messages.map((message) => (
        <MessageBubble key={message.id} message={message} />
      ))}
    </Box>
  );
}

function MessageBubble({ message: { role, content, reasoning, state } }: { message: Message }) {
  const { t } = useTranslation();
  const isOwn = role === 'user';
  return (
    <Paper
      variant="outlined"
      component="article"
      aria-label={t(`playground.role.${role}`)}
      aria-busy={state === 'loading' || state === 'incomplete'}
      sx={{
        justifySelf: isOwn ? 'end' : 'start',
        maxWidth: { xs: '96%', sm: '82%' },
        minWidth: 0,
        px: 1.75,
        py: 1,
        bgcolor: isOwn ? 'soft.accent' : 'background.paper',
        borderColor: state === 'error' ? 'error.main' : 'divider',
        overflowWrap: 'anywhere',
        '& p:first-of-type': { mt: 0 },
        '& p:last-of-type': { mb: 0 },
      }}
    >
      {reasoning !== '' && (
        <Box component="details" sx={{ mb: 1, color: 'text.secondary', fontSize: 13 }}>
          <summary>{t('playground.reasoning')}</summary>
          <Box sx={{ whiteSpace: 'pre-wrap', mt: 0.5 }}>{reasoning}</Box>
        </Box>
      )}
      {state === 'loading' ? (
        <CircularProgress size={16} aria-label={t('playground.waiting')} />
      ) : isOwn || state === 'error' ? (
        <Typography
          component="div"
          color={state === 'error' ? 'error' : undefined}
          sx={{ whiteSpace: 'pre-wrap' }}
        >
          {content}
        </Typography>
      ) : (
        <Suspense fallback={<Box sx={{ whiteSpace: 'pre-wrap' }}>{content}</Box>}>
          <ModelText text={content} />
        </Suspense>
      )}
      {!isOwn && state === 'complete' && content !== '' && (
        <Box sx={{ mt: 0.5, ml: -0.75 }}>
          <CopyButton text={content} label={t('playground.copy')} />
        </Box>
      )}
    </Paper>
  );
}
