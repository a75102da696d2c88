import AltRouteRounded from '@mui/icons-material/AltRouteRounded';
import DataObjectRounded from '@mui/icons-material/DataObjectRounded';
import ReplayRounded from '@mui/icons-material/ReplayRounded';
import ThumbUpAltOutlined from '@mui/icons-material/ThumbUpAltOutlined';
import ThumbUpAltRounded from '@mui/icons-material/ThumbUpAltRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../../shared/feedback/tip';
import { CopyButton } from '../../../shared/value/copyable';
import type { Lane } from '../chat/lane';
import { type ChatMessage, textOf } from '../chat/messages';
import { useReceipt } from '../chat/use-receipts';
import type { LaneTools } from './lane-tools';
import { useFigures } from './use-figures';
import { VersionSwitch } from './version-switch';

interface AnswerFooterProps {
  message: ChatMessage;
  lane: Lane;
  isIdle: boolean;
  tools: LaneTools;
}

/** Receipt of an answer and its actions. A greeting, which no call made, has neither. */
export function AnswerFooter({ message, lane, isIdle, tools }: AnswerFooterProps) {
  const { t } = useTranslation();
  const { calls, isBest = false } = message.metadata ?? {};
  const text = textOf(message);
  if (calls === undefined) return null;
  const requestIds = calls.map(({ requestId }) => requestId).filter((id) => id !== '');
  return (
    <Box sx={{ mt: 0.75, display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5 }}>
      <ReceiptLine message={message} tools={tools} />
      <Box sx={{ display: 'flex', alignItems: 'center', ml: -0.75 }}>
        <VersionSwitch lane={lane} id={message.id} isIdle={isIdle} />
        {text !== '' && <CopyButton text={text} label={t('playground.copy')} />}
        <Action
          label={t('playground.regenerate')}
          disabled={!isIdle}
          onClick={() => void lane.repeat(message.id)}
        >
          <ReplayRounded sx={{ fontSize: 17 }} />
        </Action>
        <Action
          label={t('playground.branch')}
          disabled={!isIdle}
          onClick={() => tools.onBranch(lane.id, message.id)}
        >
          <AltRouteRounded sx={{ fontSize: 17 }} />
        </Action>
        {requestIds.length > 0 && (
          <Action label={t('playground.inspect')} onClick={() => tools.onInspect(requestIds)}>
            <DataObjectRounded sx={{ fontSize: 17 }} />
          </Action>
        )}
        {tools.isComparing && (
          <Action
            label={t('playground.vote')}
            isPressed={isBest}
            onClick={() => tools.onVote(lane.id, message.id)}
          >
            {isBest ? (
              <ThumbUpAltRounded color="primary" sx={{ fontSize: 17 }} />
            ) : (
              <ThumbUpAltOutlined sx={{ fontSize: 17 }} />
            )}
          </Action>
        )}
      </Box>
    </Box>
  );
}

interface ActionProps {
  label: string;
  disabled?: boolean;
  isPressed?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Action({ label, disabled = false, isPressed, onClick, children }: ActionProps) {
  const button = (
    <IconButton
      size="small"
      aria-label={label}
      aria-pressed={isPressed}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </IconButton>
  );
  return disabled ? button : <Tip title={label}>{button}</Tip>;
}

/** `1.24 s · 445 → 86 tokens · $0.00012 · Why?` */
function ReceiptLine({ message, tools }: { message: ChatMessage; tools: LaneTools }) {
  const { t } = useTranslation();
  const figuresOf = useFigures();
  const { receipt, isPending } = useReceipt(message, tools.receipts);
  const calls = message.metadata?.calls ?? [];
  const requestIds = calls.map(({ requestId }) => requestId).filter((id) => id !== '');
  return (
    <Box
      role="group"
      aria-label={t('playground.receipt.name')}
      sx={{ fontSize: 12.5, color: 'text.secondary' }}
    >
      {figuresOf(message, receipt, isPending)}
      {receipt !== undefined && (
        <>
          {' · '}
          <ButtonBase
            sx={{ color: 'primary.main', fontSize: 12.5, minHeight: 24, verticalAlign: 'baseline' }}
            onClick={() => tools.onInspect(requestIds)}
          >
            {t('playground.receipt.why')}
          </ButtonBase>
        </>
      )}
    </Box>
  );
}
