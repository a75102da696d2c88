import EventRepeatOutlined from '@mui/icons-material/EventRepeatOutlined';
import PlayArrowRounded from '@mui/icons-material/PlayArrowRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../shared/feedback/tip';
import { isRoot, useCurrentUser } from '../../api/current-user';
import { Empty } from '../../shared/feedback/empty';
import { toast } from '../../shared/feedback/toast';
import { PageHeader } from '../../shared/page/page-header';
import { Section } from '../../shared/page/section';
import { DataTable } from '../../shared/table/data-table';
import { jobsQuery, type ScheduledJob, useRunJob } from './api';
import { useIntervalColumns, useJobColumns } from './jobs-columns';

/** Scheduled jobs, which run once for all instances, and intervals of each worker. Administrators only; root may start a job. */
export function JobsPage() {
  const { t, i18n } = useTranslation();
  const query = useQuery(jobsQuery(i18n.resolvedLanguage ?? 'en'));
  const jobColumns = useJobColumns();
  const intervalColumns = useIntervalColumns();
  const mayAct = isRoot(useCurrentUser());
  const { data } = query;
  // Asked again by itself every few seconds: that is not worth dimming the rows.
  const quiet = { ...query, isFetching: false };
  const tableOf = <Row,>(items: readonly Row[] | undefined) => ({
    ...quiet,
    data: items === undefined ? undefined : { items, total: items.length },
  });
  const rows = {
    rowId: ({ name }: { readonly name: string }) => name,
    rowName: ({ title }: { readonly title: string }) => title,
    empty: <Empty icon={<EventRepeatOutlined />} title={t('jobs.none')} />,
    failedTitle: t('jobs.loadFailed'),
    grows: true,
  };
  return (
    <>
      <PageHeader title={t('jobs.title')} explanation={t('jobs.lead')} />
      <Box sx={{ display: 'grid', gap: 2.5, '& > *': { minWidth: 0 } }}>
        <Section flush title={t('jobs.shared')} explanation={t('jobs.sharedText')}>
          <DataTable
            {...rows}
            name="jobs"
            label={t('jobs.shared')}
            columns={jobColumns}
            query={tableOf(data?.jobs)}
            actions={mayAct ? (job) => job.can_run && <RunButton job={job} /> : undefined}
            actionsBeside
          />
        </Section>
        {data !== undefined && (
          <Section
            flush
            title={t('jobs.everywhere')}
            explanation={t('jobs.everywhereText', { place: data.place, worker: data.worker })}
          >
            <DataTable
              {...rows}
              name="intervals"
              label={t('jobs.everywhere')}
              columns={intervalColumns}
              query={tableOf(data.intervals)}
            />
          </Section>
        )}
      </Box>
    </>
  );
}

function RunButton({ job: { name, title, outcome } }: { job: ScheduledJob }) {
  const { t } = useTranslation();
  const run = useRunJob();
  return (
    <Tip title={t('jobs.run')}>
      <span>
        <IconButton
          size="small"
          aria-label={t('jobs.runNamed', { name: title })}
          disabled={outcome === 'running' || run.isPending}
          onClick={() => run.mutate(name, { onSuccess: () => toast('success', t('jobs.started')) })}
        >
          <PlayArrowRounded fontSize="small" />
        </IconButton>
      </span>
    </Tip>
  );
}
