import EventRepeatOutlined from '@mui/icons-material/EventRepeatOutlined';
import PlayArrowRounded from '@mui/icons-material/PlayArrowRounded';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { StatusTag } from '../../shared/feedback/status-tag';
import { toast } from '../../shared/feedback/toast';
import { Section } from '../../shared/page/section';
import { ROLE, useCurrentUser } from '../../api/current-user';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { Moment } from '../../shared/value/moment';
import { type Job, useRunJob } from './api';
import { isKnownJob, OUTCOME_TONES } from './status.labels';

interface JobsSectionProps {
  jobs: readonly Job[];
  /** False while the database cannot be asked: then nothing is known of them. */
  isReadable: boolean;
}

/** Recurring work: when it ran, where, how it went, when it runs again. */
export function JobsSection({ jobs, isReadable }: JobsSectionProps) {
  const { t } = useTranslation();
  const columns = useJobColumns();
  const isRoot = (useCurrentUser()?.role ?? 0) >= ROLE.root;
  return (
    <Section flush title={t('status.jobs.title')} explanation={t('status.jobs.text')}>
      <DataTable
        name="jobs"
        label={t('status.jobs.title')}
        columns={columns}
        query={{
          data: { items: jobs, total: jobs.length },
          error: null,
          isFetching: false,
          isError: false,
          refetch: () => undefined,
        }}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        actions={isRoot ? (job) => <RunButton job={job} /> : undefined}
        actionsBeside
        empty={
          <Empty
            icon={<EventRepeatOutlined />}
            title={t(isReadable ? 'status.jobs.none' : 'status.jobs.unknown')}
          />
        }
        failedTitle={t('status.loadFailed')}
      />
    </Section>
  );
}

function RunButton({ job: { name, outcome } }: { job: Job }) {
  const { t } = useTranslation();
  const run = useRunJob();
  return (
    <Tooltip title={t('status.jobs.run')}>
      <span>
        <IconButton
          size="small"
          aria-label={t('status.jobs.runNamed', { name })}
          disabled={outcome === 'running' || run.isPending}
          onClick={() => run.mutate(name, { onSuccess: () => toast('success', t('status.jobs.started')) })}
        >
          <PlayArrowRounded fontSize="small" />
        </IconButton>
      </span>
    </Tooltip>
  );
}

function useJobColumns(): Column<Job>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'name',
      label: t('status.jobs.name'),
      choosable: false,
      card: 'title',
      render: ({ name }) => (isKnownJob(name) ? t(`status.job.${name}`) : name),
    },
    {
      id: 'outcome',
      label: t('status.jobs.outcome'),
      card: 'aside',
      render: ({ outcome, message }) => (
        <StatusTag tone={OUTCOME_TONES[outcome]} tooltip={message === '' ? undefined : message}>
          {t(`status.outcome.${outcome === '' ? 'never' : outcome}`)}
        </StatusTag>
      ),
    },
    {
      id: 'last',
      label: t('status.jobs.last'),
      card: 'line',
      render: ({ started_at: startedAt }) => <Moment seconds={startedAt} />,
    },
    {
      id: 'next',
      label: t('status.jobs.next'),
      card: 'line',
      render: ({ next_at: nextAt }) => <Moment seconds={nextAt} never="–" />,
    },
    {
      id: 'host',
      label: t('status.jobs.host'),
      render: ({ host }) => (host === '' ? '–' : host),
    },
  ];
}
