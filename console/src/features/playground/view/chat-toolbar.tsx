import AddCommentOutlined from '@mui/icons-material/AddCommentOutlined';
import CodeRounded from '@mui/icons-material/CodeRounded';
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import HistoryRounded from '@mui/icons-material/HistoryRounded';
import TuneRounded from '@mui/icons-material/TuneRounded';
import ViewColumnOutlined from '@mui/icons-material/ViewColumnOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface ChatToolbarProps {
  model: string;
  isPhone: boolean;
  /** No further model can be compared. */
  isFull: boolean;
  isAnswering: boolean;
  /** Copies the comparison; absent = there is none. */
  onCopyComparison: (() => void) | undefined;
  onHistory: () => void;
  onNew: () => void;
  onCode: () => void;
  onSettings: () => void;
  onCompare: () => void;
}

export function ChatToolbar({ model, isPhone, isFull, isAnswering, ...actions }: ChatToolbarProps) {
  const { t } = useTranslation();
  const button = (label: string, icon: ReactNode, onClick: () => void, disabled = false) =>
    isPhone ? (
      <IconButton aria-label={label} title={label} onClick={onClick} disabled={disabled}>
        {icon}
      </IconButton>
    ) : (
      <Button size="small" color="inherit" startIcon={icon} onClick={onClick} disabled={disabled}>
        {label}
      </Button>
    );
  return (
    <Box
      role="toolbar"
      aria-label={t('playground.toolbar')}
      sx={{
        display: 'flex',
        alignItems: 'center',
        flexWrap: 'wrap',
        gap: 0.5,
        px: 1,
        py: 0.5,
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      {button(t('playground.history.open'), <HistoryRounded fontSize="small" />, actions.onHistory)}
      {button(t('playground.newConversation'), <AddCommentOutlined fontSize="small" />, actions.onNew)}
      {button(
        t('playground.compare'),
        <ViewColumnOutlined fontSize="small" />,
        actions.onCompare,
        isFull || isAnswering,
      )}
      {actions.onCopyComparison !== undefined &&
        button(
          t('playground.copyComparison'),
          <ContentCopyRounded fontSize="small" />,
          actions.onCopyComparison,
          isAnswering,
        )}
      {button(t('playground.asCode'), <CodeRounded fontSize="small" />, actions.onCode)}
      {isPhone && (
        <Button
          size="small"
          variant="outlined"
          color="inherit"
          aria-label={`${t('playground.settings')}: ${model === '' ? t('playground.model') : model}`}
          startIcon={<TuneRounded fontSize="small" />}
          onClick={actions.onSettings}
          sx={{ ml: 'auto', minWidth: 0, maxWidth: 170, '& .MuiButton-startIcon': { mr: 0.5 } }}
        >
          <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
            {model === '' ? t('playground.model') : model}
          </Box>
        </Button>
      )}
    </Box>
  );
}
