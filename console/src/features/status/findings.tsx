import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import InfoOutlined from '@mui/icons-material/InfoOutlined';
import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StatusTag } from '../../shared/feedback/status-tag';
import { Moment } from '../../shared/value/moment';
import type { Finding, OperationsStatus } from './api';
import { AcceptHistory } from './accept-history';
import { SEVERITY_TONES } from './status.labels';

const ICONS = {
  notice: <InfoOutlined />,
  warning: <WarningAmberRounded />,
  fault: <ErrorOutlineRounded />,
} as const;

/** One calm sentence for all, and below it each thing that is not as it should be, with its remedy. */
export function Findings({ status }: { status: OperationsStatus }) {
  const { t } = useTranslation();
  const { findings, instances, totals, level } = status;
  const isWell = findings.length === 0;
  const up = instances.filter(({ state }) => state === 'up').length;
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label={t('status.overview')}
      sx={{ overflow: 'hidden' }}
    >
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center', px: 2.5, py: 2 }}
        role="status"
      >
        <Box
          aria-hidden
          sx={{
            display: 'grid',
            placeItems: 'center',
            color: isWell ? 'success.main' : level === 'fault' ? 'error.main' : 'warning.main',
            '& > svg': { fontSize: 28 },
          }}
        >
          {isWell ? <CheckCircleOutlineRounded /> : ICONS[level === 'ok' ? 'notice' : level]}
        </Box>
        <Box sx={{ minWidth: 0, flex: '1 1 240px' }}>
          <Typography variant="h2">
            {isWell ? t('status.well') : t(`status.level.${level === 'ok' ? 'notice' : level}`)}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {t('status.serving', {
              instances: t('status.instances', { count: up }),
              workers: t('status.workers', { count: totals.workers }),
              calls: t('status.callsNow', { count: totals.calls }),
            })}
          </Typography>
        </Box>
      </Box>
      {!isWell && (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', borderTop: 1, borderColor: 'divider' }}>
          {findings.map((finding) => (
            <FindingItem key={`${finding.rule} ${finding.subject}`} finding={finding} />
          ))}
        </Box>
      )}
    </Paper>
  );
}

function FindingItem({ finding }: { finding: Finding }) {
  const { t } = useTranslation();
  const { severity, title, sentence, remedy, since } = finding;
  return (
    <Box
      component="li"
      sx={{
        px: 2.5,
        py: 1.5,
        display: 'grid',
        gap: 0.5,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <StatusTag tone={SEVERITY_TONES[severity]} icon={ICONS[severity]}>
          {t(`status.severity.${severity}`)}
        </StatusTag>
        <Typography variant="subtitle2" component="h3" sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ ml: { sm: 'auto' } }}>
          {t('status.since')} <Moment seconds={since} never="–" />
        </Typography>
      </Box>
      <Typography variant="body2" sx={{ overflowWrap: 'anywhere', maxWidth: 860 }}>
        {sentence}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ maxWidth: 860 }}>
        {remedy}
      </Typography>
      {finding.rule === 'degraded-mode' && finding.subject === 'database-behind' && <AcceptHistory />}
    </Box>
  );
}
