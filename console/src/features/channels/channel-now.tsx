import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMilliseconds } from '../../shared/format/duration';
import { Section } from '../../shared/page/section';
import { Moment } from '../../shared/value/moment';
import { channelHealthQuery, type Channel, type ChannelStatistics } from './api';
import { ChannelState } from './channel-state';
import { useFailureText } from './use-failure-text';

interface ChannelNowProps {
  channel: Channel;
  /** Undefined = not read yet. */
  statistics: ChannelStatistics | undefined;
}

/** The state of a channel at this moment: its last failure, open circuits, its last test. */
export function ChannelNow({ channel, statistics }: ChannelNowProps) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const health = useQuery(channelHealthQuery).data;
  const line = health?.channels.find(({ channel_id: id }) => id === channel.id);
  const failure = statistics?.last_failure ?? null;
  const circuits = statistics?.circuits ?? [];
  const isWell = failure === null && circuits.length === 0 && channel.test_time === 0;
  return (
    <Section title={t('channels.page.state')} action={<ChannelState channel={channel} line={line} />}>
      {isWell && (
        <Typography variant="body2" color="textSecondary">
          {t('channels.page.works')}
        </Typography>
      )}
      <Box component="dl" sx={{ m: 0, display: 'grid', gap: 1 }}>
        {circuits.map((circuit) => (
          <Fact key={circuit.model} name={t('channels.page.circuit')}>
            {circuit.model === ''
              ? t('channels.page.circuitWhole')
              : t('channels.page.circuitModel', { model: circuit.model })}
            {circuit.keys.length > 0 &&
              ` · ${t('channels.page.circuitKeys', { keys: circuit.keys.map((key) => key + 1).join(', ') })}`}
            {` · ${t('channels.page.since')} `}
            <Moment seconds={circuit.since} />
            {circuit.retry_at !== null && (
              <>
                {` · ${t('channels.page.retry')} `}
                <Moment seconds={circuit.retry_at} />
              </>
            )}
          </Fact>
        ))}
        {failure !== null && (
          <Fact name={t('channels.page.lastFailure')}>
            {t('channels.page.failureOf', { model: failure.model, reason: failureText(failure) })}
            {' · '}
            <Moment seconds={failure.at} />
          </Fact>
        )}
        {channel.test_time > 0 && (
          <Fact name={t('channels.page.lastTest')}>
            {channel.test_failure !== ''
              ? t('channels.testFailedBecause', { reason: channel.test_failure })
              : channel.response_time > 0
                ? t('channels.page.testOk', { time: formatMilliseconds(channel.response_time) })
                : t('channels.testFailed')}
            {' · '}
            <Moment seconds={channel.test_time} />
          </Fact>
        )}
      </Box>
    </Section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '160px 1fr' }, columnGap: 2 }}>
      <Typography component="dt" variant="body2" color="textSecondary">
        {name}
      </Typography>
      <Typography component="dd" variant="body2" sx={{ m: 0, overflowWrap: 'anywhere' }}>
        {children}
      </Typography>
    </Box>
  );
}
