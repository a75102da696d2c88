import EditOutlined from '@mui/icons-material/EditOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import type { Lane } from '../chat/lane';
import { type ChatMessage, textOf } from '../chat/messages';
import { Tip } from '../../../shared/feedback/tip';
import { CopyButton } from '../../../shared/value/copyable';
import type { LaneTools } from './lane-tools';
import { VersionSwitch } from './version-switch';

interface QuestionFooterProps {
  message: ChatMessage;
  lane: Lane;
  isIdle: boolean;
  onEdit: () => void;
  tools: LaneTools;
}

export function QuestionFooter({ message, lane, isIdle, onEdit }: QuestionFooterProps) {
  const { t } = useTranslation();
  return (
    <Box sx={{ display: 'flex', justifyContent: 'end', alignItems: 'center', mt: 0.25 }}>
      <VersionSwitch lane={lane} id={message.id} isIdle={isIdle} />
      <CopyButton text={textOf(message)} label={t('playground.copyQuestion')} />
      <Tip title={t('playground.edit')}>
        <IconButton size="small" aria-label={t('playground.edit')} disabled={!isIdle} onClick={onEdit}>
          <EditOutlined sx={{ fontSize: 17 }} />
        </IconButton>
      </Tip>
    </Box>
  );
}
