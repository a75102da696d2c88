import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { memo, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../shared/feedback/lazy-part';
import { type ChatMessage, hasContent, type MessagePart, textOf } from '../chat/messages';
import type { Lane } from '../chat/lane';
import { AnswerFooter } from './answer-footer';
import { EditQuestion } from './edit-question';
import { FailurePart } from './failure-part';
import type { LaneTools } from './lane-tools';
import { QuestionFooter } from './question-footer';
import { SentFile } from './sent-file';
import { ToolCall } from './tool-part';

const AnswerText = lazyPart(async () => (await import('../text/answer-text')).AnswerText);

interface MessageViewProps {
  message: ChatMessage;
  lane: Lane;
  /** The answer that is arriving. */
  isRunning: boolean;
  /** No call of this lane runs, so questions and answers can be changed. */
  isIdle: boolean;
  isLast: boolean;
  tools: LaneTools;
}

export const MessageView = memo(function MessageView(props: MessageViewProps) {
  return props.message.role === 'user' ? <Question {...props} /> : <AnswerView {...props} />;
});

function Question({ message, lane, isIdle, tools }: MessageViewProps) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const text = textOf(message);
  return (
    <Box
      sx={{
        justifySelf: 'end',
        maxWidth: { xs: '94%', sm: '82%' },
        minWidth: 0,
        width: isEditing ? '100%' : undefined,
      }}
    >
      <Paper
        variant="outlined"
        component="article"
        aria-label={t('playground.role.user')}
        aria-busy={false}
        sx={{ px: 1.75, py: 1, bgcolor: 'soft.accent', overflowWrap: 'anywhere' }}
      >
        {message.parts.map((part, index) =>
          part.type === 'file' ? <SentFile key={index} part={part} /> : null,
        )}
        {isEditing ? (
          <EditQuestion
            text={text}
            onCancel={() => setEditing(false)}
            onSend={(next) => {
              setEditing(false);
              void lane.edit(message.id, next);
            }}
          />
        ) : (
          <Typography component="div" sx={{ whiteSpace: 'pre-wrap' }}>
            {text}
          </Typography>
        )}
      </Paper>
      {!isEditing && (
        <QuestionFooter
          message={message}
          lane={lane}
          isIdle={isIdle}
          onEdit={() => setEditing(true)}
          tools={tools}
        />
      )}
    </Box>
  );
}

function AnswerView({ message, lane, isRunning, isIdle, isLast, tools }: MessageViewProps) {
  const { t } = useTranslation();
  const { failure, ending, model } = message.metadata ?? {};
  const lastPart = message.parts.length - 1;
  const isWaiting = isRunning && !hasContent(message);
  return (
    <Paper
      variant="outlined"
      component="article"
      aria-label={t('playground.role.assistant')}
      aria-busy={isRunning}
      sx={{
        // The width stays while the answer arrives.
        width: '100%',
        minWidth: 0,
        px: 1.75,
        py: 1,
        overflowWrap: 'anywhere',
      }}
    >
      {model !== undefined && (
        <Typography variant="caption" color="textSecondary" component="div" sx={{ mb: 0.25 }}>
          {model}
        </Typography>
      )}
      {message.parts.map((part, index) => (
        <AnswerPart
          key={index}
          part={part}
          isOpen={isRunning && index === lastPart}
          onResult={
            isLast && isIdle
              ? (toolCallId, output) => void lane.chat.answerTool(toolCallId, output)
              : undefined
          }
        />
      ))}
      {isWaiting && <CircularProgress size={16} aria-label={t('playground.waiting')} sx={{ my: 0.5 }} />}
      {ending !== undefined && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          {t(`playground.ending.${ending}`)}
        </Typography>
      )}
      {failure !== undefined && (
        <FailurePart
          failure={failure}
          model={model ?? ''}
          onRetry={isIdle ? () => void lane.repeat(message.id) : undefined}
        />
      )}
      {!isRunning && <AnswerFooter message={message} lane={lane} isIdle={isIdle} tools={tools} />}
    </Paper>
  );
}

interface AnswerPartProps {
  part: MessagePart;
  isOpen: boolean;
  onResult: ((toolCallId: string, output: unknown) => void) | undefined;
}

const AnswerPart = memo(
  function AnswerPart({ part, isOpen, onResult }: AnswerPartProps) {
    const { t } = useTranslation();
    if (part.type === 'text')
      return (
        <Suspense fallback={<Box sx={{ whiteSpace: 'pre-wrap' }}>{part.text}</Box>}>
          <AnswerText text={part.text} isOpen={isOpen} />
        </Suspense>
      );
    if (part.type === 'reasoning')
      return (
        <Box component="details" sx={{ mb: 1, color: 'text.secondary', fontSize: 13 }}>
          <Box component="summary" sx={{ cursor: 'pointer' }}>
            {t('playground.reasoning')}
          </Box>
          <Box sx={{ whiteSpace: 'pre-wrap', mt: 0.5, pl: 1.5, borderLeft: 2, borderColor: 'divider' }}>
            {part.text}
          </Box>
        </Box>
      );
    if (part.type === 'file') return <SentFile part={part} />;
    return part.type === 'tool' ? <ToolCall part={part} onResult={onResult} /> : null;
  },
  // Handlers are new with each change of the message; parts that are over stay as they are drawn.
  (before, after) =>
    before.isOpen === after.isOpen &&
    (before.onResult === undefined) === (after.onResult === undefined) &&
    before.part === after.part,
);
