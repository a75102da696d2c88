import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StatusTag, type Tone } from '../../shared/feedback/status-tag';
import type { Column } from '../../shared/table/columns';
import { Moment } from '../../shared/value/moment';
import type { ScheduledJob, WorkerInterval } from './api';
import { formatPeriod } from './period';

const OUTCOME_TONES: Readonly<Record<ScheduledJob['outcome'], Tone>> = {
  '': 'neutral',
  running: 'notice',
  done: 'ok',
  failed: 'fault',
  lost: 'warning',
};

type Run = ScheduledJob | WorkerInterval;

/** Columns that jobs and intervals share. */
function useRunColumns(): Column<Run>[] {
  const { t, i18n } = useTranslation();
  return [
    {
      id: 'name',
      label: t('jobs.name'),
      choosable: false,
      card: 'title',
      render: ({ name, title, description }) => (
        <Box sx={{ py: 0.5, minWidth: { md: 220 }, whiteSpace: 'normal' }}>
          {title} <Box component="code">{title === name ? '' : name}</Box>
          <Typography variant="body2" color="textSecondary">
            {description}
          </Typography>
        </Box>
      ),
    },
    {
      id: 'period',
      label: t('jobs.period'),
      card: 'line',
      render: ({ period_ms: periodMs }) =>
        periodMs === null ? t('jobs.notByItself') : formatPeriod(periodMs, i18n.resolvedLanguage ?? 'en'),
    },
    {
      id: 'outcome',
      label: t('jobs.outcome'),
      card: 'aside',
      render: ({ outcome, message }) => (
        <StatusTag tone={OUTCOME_TONES[outcome]} tooltip={message === '' ? undefined : message}>
          {t(`jobs.ended.${outcome === '' ? 'never' : outcome}`)}
        </StatusTag>
      ),
    },
    {
      id: 'last',
      label: t('jobs.last'),
      card: 'line',
      render: ({ started_at: startedAt }) => <Moment seconds={startedAt} />,
    },
    {
      id: 'next',
      label: t('jobs.next'),
      card: 'line',
      render: ({ next_at: nextAt }) => <Moment seconds={nextAt} never="–" />,
    },
  ];
}

export const useIntervalColumns: () => Column<WorkerInterval>[] = useRunColumns;

export function useJobColumns(): Column<ScheduledJob>[] {
  const { t } = useTranslation();
  return [
    ...useRunColumns(),
    {
      id: 'holder',
      label: t('jobs.where'),
      card: 'line',
      render: ({ holder, last_place: lastPlace }) =>
        holder === null ? (
          lastPlace || '–'
        ) : (
          <StatusTag tone="notice" tooltip={holder.boot_id}>
            {holder.worker === null
              ? holder.place
              : t('jobs.holder', { place: holder.place, worker: holder.worker })}
          </StatusTag>
        ),
    },
  ];
}
