import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { formatSeconds } from '../../shared/format/timestamp';
import { PageHeader } from '../../shared/page/page-header';
import { Section } from '../../shared/page/section';
import { FilterSelect } from '../../shared/table/filter-select';
import { SearchBox } from '../../shared/table/search-box';
import { channelLatencyQuery, type ChannelLatency, type PeriodName } from './api';
import { FIRST_ORDER, latencyRows, nextOrder } from './latency-rows';
import { LatencyTable } from './latency-table';

/** Periods that the usage log has, too: a row leads there. */
const LATENCY_PERIODS = ['day', 'week', 'month'] as const satisfies readonly PeriodName[];

/** /latency: how fast each model answers at each channel, against its price. */
export function LatencyPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const period = LATENCY_PERIODS.find((name) => name === search.get('period')) ?? 'day';
  const keyword = search.get('keyword') ?? '';
  const [order, setOrder] = useState(FIRST_ORDER);
  const latency = useQuery(channelLatencyQuery(period));
  const { data } = latency;
  const change = (name: string, value: string) => {
    const changed = new URLSearchParams(search);
    if (value === '') changed.delete(name);
    else changed.set(name, value);
    setSearch(changed, { replace: true });
  };
  const rows = latencyRows(data?.rows ?? [], keyword, order);
  return (
    <>
      <PageHeader
        title={t('channels.latency.title')}
        explanation={data === undefined ? undefined : countedText(data)}
        action={
          <Button component={Link} to="/channel" color="inherit" startIcon={<ArrowBackRounded />}>
            {t('channels.page.back')}
          </Button>
        }
      />
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap', mb: 2 }}>
        <SearchBox
          value={keyword}
          label={t('channels.latency.search')}
          onChange={(text) => change('keyword', text)}
        />
        <FilterSelect
          value={period}
          label={t('channels.page.period')}
          values={LATENCY_PERIODS}
          text={(name) => t(`channels.page.${name}`)}
          onChange={(name) => change('period', name)}
        />
      </Box>
      {latency.isError && (
        <Failed
          title={t('channels.page.loadFailed')}
          error={latency.error}
          onRetry={() => void latency.refetch()}
        />
      )}
      {data === undefined ? (
        !latency.isError && <Skeleton height={220} />
      ) : (
        <Section
          title={t('channels.latency.byChannel')}
          explanation={
            data.total > data.rows.length
              ? t('channels.latency.bounded', { shown: data.rows.length, total: data.total })
              : t('channels.latency.prices')
          }
          flush={rows.length > 0}
        >
          {rows.length === 0 ? (
            <Empty
              title={t(data.rows.length === 0 ? 'channels.page.noAttempts' : 'channels.latency.noneFound')}
            />
          ) : (
            <LatencyTable
              rows={rows}
              period={period}
              order={order}
              onOrder={(by) => setOrder(nextOrder(order, by))}
            />
          )}
        </Section>
      )}
    </>
  );

  function countedText({ counted_since: since }: ChannelLatency): string {
    return since === null
      ? t('channels.page.countedNone')
      : t('channels.page.countedSince', { time: formatSeconds(since) });
  }
}
