import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded';
import EditOutlined from '@mui/icons-material/EditOutlined';
import PlayArrowRounded from '@mui/icons-material/PlayArrowRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { formatSeconds } from '../../shared/format/timestamp';
import { PageHeader } from '../../shared/page/page-header';
import { Section } from '../../shared/page/section';
import { FilterSelect } from '../../shared/table/filter-select';
import {
  channelQuery,
  channelStatisticsQuery,
  PERIODS,
  type Channel,
  type ChannelStatistics,
  type PeriodName,
} from './api';
import { ChannelKeysSection } from './channel-keys-section';
import { ChannelModels, ChannelReasons, timeText } from './channel-tables';
import { ChannelNow } from './channel-now';
import { formatShare } from './channel-trouble';

// One chunk: each chunk costs the router bytes of the first load.
export { LatencyPage } from './latency-page';

const AttemptsChart = lazyPart(async () => (await import('./channel-charts')).AttemptsChart);
const FirstTokenChart = lazyPart(async () => (await import('./channel-charts')).FirstTokenChart);
const LimitsPart = lazyPart(async () => (await import('../../shared/limits/limits-part')).LimitsPart);
const ChannelTestDialog = lazyDialog(
  async () => (await import('./channel-test-dialog')).ChannelTestDialog,
  ({ channel }) => channel !== null,
);

const PERIOD_NAMES = Object.keys(PERIODS) as PeriodName[];
const isPeriod = (name: string | null): name is PeriodName => name !== null && name in PERIODS;

/** /channel/{id}: how one channel answers. */
export function ChannelPage() {
  const { t } = useTranslation();
  const id = Number(useParams()['id']);
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('period');
  const period = isPeriod(wanted) ? wanted : 'day';
  const channel = useQuery(channelQuery(id));
  const statistics = useQuery(channelStatisticsQuery(id, period));
  const [testing, setTesting] = useState<Channel | null>(null);
  const { data } = statistics;
  if (channel.isError)
    return (
      <>
        <PageHeader title={t('channels.title')} />
        <Failed
          title={t('channels.page.notFound')}
          error={channel.error}
          onRetry={() => void channel.refetch()}
        />
      </>
    );
  return (
    <>
      <PageHeader
        title={channel.data?.name ?? `#${id}`}
        explanation={data === undefined ? undefined : countedText(data)}
        action={
          <>
            <Button component={Link} to="/channel" color="inherit" startIcon={<ArrowBackRounded />}>
              {t('channels.page.back')}
            </Button>
            <Button
              component={Link}
              to={`/channel/edit/${id}`}
              variant="outlined"
              color="inherit"
              startIcon={<EditOutlined />}
            >
              {t('channels.action.edit')}
            </Button>
            <Button
              variant="contained"
              startIcon={<PlayArrowRounded />}
              disabled={channel.data === undefined}
              onClick={() => setTesting(channel.data ?? null)}
            >
              {t('channels.action.test')}
            </Button>
          </>
        }
      />
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        {channel.data !== undefined && <ChannelNow channel={channel.data} statistics={data} />}
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <FilterSelect
            value={period}
            label={t('channels.page.period')}
            values={PERIOD_NAMES}
            text={(name) => t(`channels.page.${name}`)}
            onChange={(name) => setSearch({ period: name }, { replace: true })}
          />
          <Button component={Link} to={`/log?channel=${id}&failed_attempt=1`} color="inherit">
            {t('channels.page.log')}
          </Button>
          <Button
            component={Link}
            to={`/latency?${new URLSearchParams({ keyword: channel.data?.name ?? '', period }).toString()}`}
            color="inherit"
          >
            {t('channels.latency.title')}
          </Button>
        </Box>
        {statistics.isError && (
          <Failed
            title={t('channels.page.loadFailed')}
            error={statistics.error}
            onRetry={() => void statistics.refetch()}
          />
        )}
        {data === undefined ? (
          !statistics.isError && <Skeleton height={220} />
        ) : data.totals.attempts === 0 ? (
          <Section title={t('channels.page.overTime')}>
            <Empty title={t('channels.page.noAttempts')} />
          </Section>
        ) : (
          <Figures statistics={data} />
        )}
        {channel.data !== undefined && (
          <Suspense>
            <LimitsPart target={{ scope: 'channel', subject: String(id), name: channel.data.name }} boxed />
          </Suspense>
        )}
        {channel.data?.channel_info.is_multi_key === true && (
          <ChannelKeysSection channel={channel.data} circuits={data?.circuits ?? []} />
        )}
      </Box>
      <ChannelTestDialog channel={testing} onClose={() => setTesting(null)} />
    </>
  );

  function countedText({ counted_since: since }: ChannelStatistics): string {
    return since === null
      ? t('channels.page.countedNone')
      : t('channels.page.countedSince', { time: formatSeconds(since) });
  }
}

function Figures({ statistics }: { statistics: ChannelStatistics }) {
  const { t } = useTranslation();
  const { totals } = statistics;
  const { attempts, failures } = totals;
  const hasFirstToken = totals.first_token_p50_ms !== null;
  const two = (p50: number | null, p95: number | null) =>
    `${t('channels.page.p50', { time: timeText(p50) })} · ${t('channels.page.p95', { time: timeText(p95) })}`;
  return (
    <>
      <Section title={t('channels.page.figures')}>
        <Box
          component="dl"
          sx={{ m: 0, display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(160px, 1fr))' }}
        >
          <Figure name={t('channels.page.attempts')} value={attempts.toLocaleString('en-US')} />
          <Figure
            name={t('channels.page.failed')}
            value={`${formatShare(failures / attempts)} · ${t('channels.page.sum', { failures, attempts })}`}
          />
          <Figure
            name={t('channels.page.firstToken')}
            value={two(totals.first_token_p50_ms, totals.first_token_p95_ms)}
          />
          <Figure
            name={t('channels.page.duration')}
            value={two(totals.duration_p50_ms, totals.duration_p95_ms)}
          />
          {totals.billed_tokens > 0 && (
            <Figure
              name={t('channels.page.billedTokens')}
              value={totals.billed_tokens.toLocaleString('en-US')}
            />
          )}
        </Box>
      </Section>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <Section title={t('channels.page.overTime')}>
          <Suspense fallback={<Skeleton height={220} />}>
            <AttemptsChart
              statistics={statistics}
              label={t('channels.page.chartLabel', { attempts, failures })}
            />
          </Suspense>
        </Section>
        <Section title={t('channels.page.times')}>
          {hasFirstToken ? (
            <Suspense fallback={<Skeleton height={220} />}>
              <FirstTokenChart
                statistics={statistics}
                label={t('channels.page.timesLabel', {
                  p50: timeText(totals.first_token_p50_ms),
                  p95: timeText(totals.first_token_p95_ms),
                })}
              />
            </Suspense>
          ) : (
            <Typography variant="body2" color="textSecondary">
              {t('channels.page.timesNone')}
            </Typography>
          )}
        </Section>
      </Box>
      <ChannelReasons statistics={statistics} />
      <ChannelModels statistics={statistics} />
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <Typography component="dt" variant="caption" color="textSecondary">
        {name}
      </Typography>
      <Typography component="dd" sx={{ m: 0, fontWeight: 600 }}>
        {value}
      </Typography>
    </div>
  );
}
