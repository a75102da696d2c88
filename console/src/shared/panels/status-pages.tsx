import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StatusTag, type Tone } from '../feedback/status-tag';
import type { StatusPage } from './panel-entries';

const STATES = [
  { word: 'down', tone: 'fault' },
  { word: 'up', tone: 'ok' },
  { word: 'pending', tone: 'notice' },
  { word: 'maintenance', tone: 'neutral' },
] as const satisfies readonly { word: string; tone: Tone }[];

/** State of services, from the status pages of the operator. */
export function StatusPages({ entries }: { entries: readonly StatusPage[] }) {
  const { t } = useTranslation();
  return (
    <Box component="ul" sx={LIST}>
      {entries.map((page, index) => (
        <Box component="li" key={index} sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Typography variant="subtitle2" component="h3">
            {page.categoryName}
          </Typography>
          {page.description !== '' && (
            <Typography variant="body2" color="textSecondary">
              {page.description}
            </Typography>
          )}
          {!page.reachable && <StatusTag tone="warning">{t('panels.pageAway')}</StatusTag>}
          {page.reachable && page.monitors.length === 0 && (
            <Typography variant="body2" color="textSecondary">
              {t('panels.noMonitors')}
            </Typography>
          )}
          {page.monitors.length > 0 && (
            <Box component="ul" sx={{ ...LIST, gap: 0.75, pt: 0.5 }}>
              {page.monitors.map((monitor, place) => (
                <Monitor key={place} monitor={monitor} />
              ))}
            </Box>
          )}
        </Box>
      ))}
    </Box>
  );
}

function Monitor({ monitor }: { monitor: StatusPage['monitors'][number] }) {
  const { t, i18n } = useTranslation();
  const { word, tone } = STATES[monitor.status] ?? STATES[2];
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2">{monitor.name}</Typography>
        <Typography variant="caption" color="textSecondary">
          {monitor.group}
        </Typography>
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ whiteSpace: 'nowrap' }}>
        {t('panels.share', { share: shareText(monitor.uptime, i18n.language) })}
      </Typography>
      <StatusTag tone={tone}>{t(`panels.monitor.${word}`)}</StatusTag>
    </Box>
  );
}

/** Never rounded up to all: 99.999 % of a day had a fault in it. */
const shareText = (share: number, language: string): string =>
  new Intl.NumberFormat(language, {
    style: 'percent',
    maximumFractionDigits: 2,
    roundingMode: 'floor',
  }).format(share);

const LIST = { listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5, minWidth: 0 } as const;
