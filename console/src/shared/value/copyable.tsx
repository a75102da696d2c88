import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { Tip } from '../feedback/tip';
import { MONO } from '../format/mono';
import { useCopy } from '../dialog/manual-copy';

/** An id, model or key in mono that copies itself when pressed. */
export function CopyableText({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <Tip title={t('common.clickToCopy')}>
      <ButtonBase
        onClick={(event) => {
          event.stopPropagation();
          void copy(text);
        }}
        aria-label={t('common.copyNamed', { name: label ?? text })}
        sx={{
          fontFamily: MONO,
          fontSize: 12.5,
          px: 0.75,
          // Large enough for a finger.
          minHeight: { xs: 32, sm: 24 },
          borderRadius: '6px',
          bgcolor: 'soft.neutral',
          maxWidth: '100%',
          overflow: 'hidden',
          '&:hover': { bgcolor: 'soft.accent' },
        }}
      >
        <span style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{text}</span>
      </ButtonBase>
    </Tip>
  );
}

export function CopyButton({ text, label, edge }: { text: string; label?: string; edge?: 'end' }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const name = label ?? t('common.copy');
  return (
    <Tip title={name}>
      <IconButton
        size="small"
        edge={edge}
        aria-label={name}
        onClick={(event) => {
          event.stopPropagation();
          void copy(text);
        }}
      >
        <ContentCopyRounded sx={{ fontSize: 17 }} />
      </IconButton>
    </Tip>
  );
}
