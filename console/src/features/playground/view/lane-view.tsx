import CloseRounded from '@mui/icons-material/CloseRounded';
import TuneRounded from '@mui/icons-material/TuneRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../../shared/feedback/empty';
import { formatMilliseconds } from '../../../shared/format/duration';
import { dollarsOfQuota, exactMoney } from '../../../shared/format/money';
import { useQuotaSettings } from '../../../shared/session/status';
import type { Lane } from '../chat/lane';
import { sumOf } from '../chat/use-receipts';
import type { ChatMessage } from '../chat/messages';
import type { LaneTools } from './lane-tools';
import { MessageView } from './message-view';
import { ModelSelect } from './model-select';
import { useFollowedEnd } from './use-followed-end';

interface LaneViewProps {
  lane: Lane;
  model: string;
  models: readonly string[];
  tools: LaneTools;
  onModel: (model: string) => void;
  onSettings: () => void;
  onRemove: () => void;
  /** Called after each change of the messages. */
  onMessages: () => void;
  /** Called when a call begins or ends. */
  onCall: () => void;
}

/** Messages of one model, the newest below. Follows them while the reader is at the end. */
export function LaneView({
  lane,
  model,
  models,
  tools,
  onModel,
  onSettings,
  onRemove,
  onMessages,
  onCall,
}: LaneViewProps) {
  const { t } = useTranslation();
  const { messages, isRunning } = useSyncExternalStore(lane.chat.subscribe, lane.chat.state);
  useEffect(() => onMessages(), [messages, isRunning, onMessages]);
  useEffect(() => onCall(), [isRunning, onCall]);
  const count = messages.length;
  const { list, content, onScroll } = useFollowedEnd(count);
  return (
    <Box
      component="section"
      aria-label={t('playground.lane', { model: model === '' ? t('playground.model') : model })}
      sx={{ flex: 1, minWidth: { xs: '88%', md: 0 }, minHeight: 0, display: 'flex', flexDirection: 'column' }}
    >
      {tools.isComparing && (
        <Box sx={{ p: 1, borderBottom: 1, borderColor: 'divider', display: 'grid', gap: 0.5 }}>
          <Box sx={{ display: 'flex', gap: 0.5, alignItems: 'center' }}>
            <ModelSelect
              model={model}
              models={models}
              label={t('playground.comparedModel')}
              onChange={onModel}
              isCompact
            />
            <IconButton size="small" aria-label={t('playground.settingsOf', { model })} onClick={onSettings}>
              <TuneRounded sx={{ fontSize: 18 }} />
            </IconButton>
            <IconButton size="small" aria-label={t('playground.removeModel', { model })} onClick={onRemove}>
              <CloseRounded sx={{ fontSize: 18 }} />
            </IconButton>
          </Box>
          <LaneTotals messages={messages} tools={tools} />
        </Box>
      )}
      <Box
        ref={list}
        role="log"
        aria-label={
          tools.isComparing ? t('playground.conversationWith', { model }) : t('playground.conversation')
        }
        tabIndex={0}
        onScroll={onScroll}
        sx={LIST}
      >
        <Box ref={content} sx={CONTENT}>
          {messages.length === 0 && (
            <Empty title={t('playground.empty')} explanation={t('playground.emptyText')} />
          )}
          {messages.map((message, index) => (
            <MessageView
              key={message.id}
              message={message}
              lane={lane}
              isRunning={isRunning && index === count - 1 && message.role === 'assistant'}
              isIdle={!isRunning}
              isLast={index === count - 1}
              tools={tools}
            />
          ))}
        </Box>
      </Box>
    </Box>
  );
}

/** Layout of an arriving answer stays inside. */
const LIST = { flex: 1, minHeight: 0, overflowY: 'auto', contain: 'strict' } as const;

const CONTENT = {
  p: { xs: 1.5, sm: 2 },
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 1.5,
  alignContent: 'start',
} as const;

/** Cost, time and votes of one model in a comparison. */
function LaneTotals({ messages, tools }: { messages: readonly ChatMessage[]; tools: LaneTools }) {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  const calls = messages.flatMap(({ metadata }) => metadata?.calls ?? []);
  const totalMs = calls.reduce((sum, call) => sum + (call.totalMs ?? 0), 0);
  const known = useSyncExternalStore(tools.receipts.subscribe, tools.receipts.all);
  const receipts = calls.flatMap(({ requestId }) => known[requestId] ?? []);
  const votes = messages.filter(({ metadata }) => metadata?.isBest === true).length;
  const parts = [
    exactMoney(dollarsOfQuota(sumOf(receipts).quota, settings)),
    formatMilliseconds(totalMs),
    t('playground.votes', { count: votes }),
  ];
  return <Box sx={{ fontSize: 12.5, color: 'text.secondary', px: 0.5 }}>{parts.join(' · ')}</Box>;
}
