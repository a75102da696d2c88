import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import { Tip } from '../../shared/feedback/tip';
import { Quota } from '../../shared/value/quota';
import { logStatisticsQuery, type LogRequest } from './api';

/** Cost of the filtered lines, and the load of the last minute. */
export function LogStatistics({ request, refetchMs }: { request: LogRequest; refetchMs: number | false }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...logStatisticsQuery(request), refetchInterval: refetchMs });
  return (
    <Box sx={{ display: 'flex', gap: 3, flexWrap: 'wrap' }} role="group" aria-label={t('logs.title')}>
      <Figure label={t('logs.stat.quota')}>{data === undefined ? '–' : <Quota value={data.quota} />}</Figure>
      <Figure label={t('logs.stat.rpm')} help={t('logs.stat.rpmHelp')}>
        {data?.rpm.toLocaleString('en-US') ?? '–'}
      </Figure>
      <Figure label={t('logs.stat.tpm')} help={t('logs.stat.rpmHelp')}>
        {data?.tpm.toLocaleString('en-US') ?? '–'}
      </Figure>
    </Box>
  );
}

function Figure({ label, help, children }: { label: string; help?: string; children: ReactNode }) {
  return (
    <div>
      <Tip title={help ?? ''}>
        <Typography variant="caption" color="textSecondary" component="div">
          {label}
        </Typography>
      </Tip>
      <Typography sx={{ fontSize: 17, fontWeight: 620, lineHeight: 1.3 }} component="div">
        {children}
      </Typography>
    </div>
  );
}
