import CloseRounded from '@mui/icons-material/CloseRounded';
import FilterListRounded from '@mui/icons-material/FilterListRounded';
import RefreshRounded from '@mui/icons-material/RefreshRounded';
import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Collapse from '@mui/material/Collapse';
import IconButton from '@mui/material/IconButton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { onlineManager } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Tip } from '../feedback/tip';
import { toast } from '../feedback/toast';

export interface FilterChip {
  readonly id: string;
  readonly label: string;
  onClear(): void;
}

interface ListToolbarProps {
  search?: ReactNode;
  filters?: ReactNode;
  /** Filters that are active; each clears alone. */
  chips?: readonly FilterChip[];
  onClearAll?: () => void;
  onRefresh?: () => void;
  /** Column chooser and other quiet tools, at the right. */
  tools?: ReactNode;
}

/** Above a table: search, filters, what is active, tools. On phones the filters fold away behind a button. */
export function ListToolbar({ search, filters, chips = [], onClearAll, onRefresh, tools }: ListToolbarProps) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery('(max-width:600px)');
  const [open, setOpen] = useState(false);
  // A read without a network waits and shows nothing: the reason is given instead.
  const refresh = () => (onlineManager.isOnline() ? onRefresh?.() : toast('warning', t('shell.offline')));
  return (
    <Box role="search" sx={{ px: 2, py: 1.5, display: 'grid', gap: 1.25 }}>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: { xs: 'nowrap', sm: 'wrap' } }}>
        {search}
        {!isPhone && filters}
        <Box sx={{ ml: 'auto', display: 'flex', gap: 0.5, alignItems: 'center' }}>
          {isPhone && filters !== undefined && (
            <IconButton
              size="small"
              aria-label={[t('common.table.filters'), ...(chips.length > 0 ? [chips.length] : [])].join(' ')}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              <Badge badgeContent={chips.length > 0 ? chips.length : null} color="primary">
                <FilterListRounded fontSize="small" />
              </Badge>
            </IconButton>
          )}
          {onRefresh !== undefined && (
            <Tip title={t('common.refresh')}>
              <IconButton size="small" aria-label={t('common.refresh')} onClick={refresh}>
                <RefreshRounded fontSize="small" />
              </IconButton>
            </Tip>
          )}
          {tools}
        </Box>
      </Box>
      {isPhone && filters !== undefined && (
        <Collapse in={open} unmountOnExit>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>{filters}</Box>
        </Collapse>
      )}
      {chips.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, alignItems: 'center' }}>
          {chips.map((chip) => (
            <ButtonBase
              key={chip.id}
              onClick={chip.onClear}
              aria-label={t('common.table.clearFilter', { name: chip.label })}
              sx={{
                gap: 0.5,
                height: 26,
                px: 1,
                borderRadius: '6px',
                bgcolor: 'soft.accent',
                color: 'primary.main',
                fontSize: 12.5,
                fontWeight: 550,
                maxWidth: '100%',
              }}
            >
              <Box
                component="span"
                sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
              >
                {chip.label}
              </Box>
              <CloseRounded aria-hidden sx={{ fontSize: 14 }} />
            </ButtonBase>
          ))}
          {onClearAll !== undefined && (
            <Button size="small" onClick={onClearAll}>
              {t('common.table.clearAll')}
            </Button>
          )}
        </Box>
      )}
    </Box>
  );
}
