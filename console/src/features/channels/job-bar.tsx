import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { jobQuery, type JobName } from './api';

/** Shown while a job runs. */
const LinearProgress = lazyPart(async () => (await import('@mui/material/LinearProgress')).default);

/** A job upon all channels, with counts; it goes on when the page is left, and is found again when one comes back. */
export function JobBar({ name }: { name: JobName }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data } = useQuery(jobQuery(name));
  const done = data?.done ?? 0;
  const running = data?.running === true;
  useEffect(() => {
    // Results arrive one by one: the rows show them as they come.
    if (done > 0) void client.invalidateQueries({ queryKey: ['channels', 'list'] });
  }, [client, done, running]);
  if (data === undefined || !running) return null;
  const label = t(`channels.job.${name}`, { done, total: data.total });
  return (
    <Box sx={{ px: 2, pb: 1.5 }}>
      <Typography variant="body2" color="textSecondary" role="status">
        {label}
        {data.failed > 0 && ` · ${t('channels.job.failed', { count: data.failed })}`}
      </Typography>
      <Suspense fallback={<Box sx={{ height: 4, mt: 0.5 }} />}>
        <LinearProgress
          variant="determinate"
          value={data.total === 0 ? 0 : (done / data.total) * 100}
          aria-label={label}
          sx={{ mt: 0.5, borderRadius: '3px' }}
        />
      </Suspense>
    </Box>
  );
}
