import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StatusTag } from '../feedback/status-tag';
import { useQuotaSettings } from '../session/status';
import { LimitActions } from './limit-actions';
import { LimitBar } from './limit-bar';
import { limitRule, limitTarget } from './limit-texts';
import type { Limit } from './limits.api';

interface LimitListProps {
  limits: readonly Limit[];
  /** Names what each limit applies to; in a drawer of that very thing it is known. */
  withTarget?: boolean;
  onEdit: (limit: Limit) => void;
}

/** Limits below each other, each with its use. */
export function LimitList({ limits, withTarget = false, onEdit }: LimitListProps) {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5 }}>
      {limits.map((limit) => (
        <Box component="li" key={limit.id} sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
          <Box sx={{ flex: 1, minWidth: 0, display: 'grid', gap: 0.25 }}>
            <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
              <Typography variant="subtitle2" sx={{ overflowWrap: 'anywhere' }}>
                {limitRule(t, limit, settings)}
              </Typography>
              {limit.action === 'warn' && <StatusTag tone="neutral">{t('limits.onlyWarns')}</StatusTag>}
              {!limit.enabled && <StatusTag tone="neutral">{t('limits.disabled')}</StatusTag>}
            </Box>
            <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {withTarget ? `${limitTarget(t, limit)} · ${limit.name}` : limit.name}
              {limit.model === '' ? '' : ` · ${limit.model}`}
            </Typography>
            {limit.use !== null && limit.measure !== 'in_flight' && (
              <LimitBar limit={limit} use={limit.use} />
            )}
          </Box>
          {(limit.may_change || limit.use !== null) && <LimitActions limit={limit} onEdit={onEdit} />}
        </Box>
      ))}
    </Box>
  );
}
