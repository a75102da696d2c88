import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface SelectionBarProps {
  count: number;
  onClear: () => void;
  children: ReactNode;
}

/** Appears with the first selected row: how many, what can be done with them, and a way out. */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <Box
      role="toolbar"
      aria-label={t('common.table.selection')}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        px: 2,
        py: 0.75,
        bgcolor: 'soft.accent',
        borderBlock: 1,
        borderColor: 'divider',
      }}
    >
      <IconButton size="small" aria-label={t('common.table.clearSelection')} onClick={onClear}>
        <CloseRounded fontSize="small" />
      </IconButton>
      <Typography variant="subtitle2" aria-live="polite" sx={{ mr: 1 }}>
        {t('common.table.selected', { count })}
      </Typography>
      {children}
    </Box>
  );
}
