import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatRelative } from '../format/timestamp';
import { useQuotaSettings } from '../session/status';
import { useNow } from '../value/use-now';
import { limitAmount, usedPercent, useTone, zonedMoment } from './limit-texts';
import { limitRightsQuery, type Limit, type LimitUse } from './limits.api';

const COLOURS = { fine: 'primary', near: 'warning', full: 'error' } as const;

interface LimitBarProps {
  limit: Pick<Limit, 'name' | 'measure' | 'warn_at'>;
  use: LimitUse;
  /** Without the lines about reset and forecast. */
  small?: boolean;
}

/** Use of a limit: a bar, its figures, the next reset in words and with its date, and when the limit is reached at this rate. */
export function LimitBar({ limit, use, small = false }: LimitBarProps) {
  const { t, i18n } = useTranslation();
  const settings = useQuotaSettings();
  const now = useNow();
  const zone = useQuery(limitRightsQuery).data?.time_zone ?? 'UTC';
  const percent = usedPercent(use);
  const text = t('limits.usedOf', {
    used: limitAmount(t, limit.measure, use.used + use.held, settings),
    amount: limitAmount(t, limit.measure, use.amount, settings),
  });
  const date = (seconds: number) => zonedMoment(seconds, zone, i18n.language);
  return (
    <Box sx={{ minWidth: small ? 90 : 160, maxWidth: 420 }}>
      <LinearProgress
        variant="determinate"
        value={Math.min(100, percent)}
        color={COLOURS[useTone(percent, limit)]}
        aria-label={t('limits.barOf', { name: limit.name })}
        aria-valuetext={text}
        sx={{ height: 6, borderRadius: 3 }}
      />
      <Typography variant="caption" component="p" color="textSecondary">
        {text}
      </Typography>
      {!small && use.resets_at !== null && (
        <Typography variant="caption" component="p" color="textSecondary">
          {t('limits.resets', {
            in: formatRelative(use.resets_at, now, i18n.language) ?? t('limits.soon'),
            at: date(use.resets_at),
          })}
        </Typography>
      )}
      {!small && use.reached_at !== null && (
        <Typography variant="caption" component="p" color="warning.main">
          {t('limits.forecast', { at: date(use.reached_at) })}
        </Typography>
      )}
    </Box>
  );
}
