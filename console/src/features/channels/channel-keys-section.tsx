import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { StatusTag } from '../../shared/feedback/status-tag';
import { MONO } from '../../shared/format/mono';
import { Section } from '../../shared/page/section';
import { Moment } from '../../shared/value/moment';
import { channelKeysQuery, type Channel, type ChannelStatistics } from './api';
import { channelStatus } from './channel.labels';

const ChannelKeysDialog = lazyDialog(
  async () => (await import('./channel-keys-dialog')).ChannelKeysDialog,
  ({ channel }) => channel !== null,
);

interface ChannelKeysSectionProps {
  channel: Channel;
  circuits: ChannelStatistics['circuits'];
}

/** The keys of a channel that has several, each with its own state. */
export function ChannelKeysSection({ channel, circuits }: ChannelKeysSectionProps) {
  const { t } = useTranslation();
  const query = useQuery(channelKeysQuery(channel.id));
  const [isManaging, setIsManaging] = useState(false);
  const resting = new Set(circuits.flatMap(({ keys }) => keys));
  return (
    <Section
      title={t('channels.page.keys')}
      action={
        <Button size="small" color="inherit" onClick={() => setIsManaging(true)}>
          {t('channels.page.manageKeys')}
        </Button>
      }
    >
      {query.isError && (
        <Failed title={t('channels.keys.failed')} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton height={80} />}
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
        {query.data?.keys.map(({ index, status, reason, time, hint }) => {
          const { word, tone } = channelStatus(status);
          return (
            <Box
              component="li"
              key={index}
              sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}
            >
              <Typography variant="body2" sx={{ minWidth: 64 }}>
                {t('channels.page.keyNumber', { number: index + 1 })}
              </Typography>
              <Box component="span" sx={{ fontFamily: MONO, fontSize: 12.5, color: 'text.secondary' }}>
                {`…${hint}`}
              </Box>
              <StatusTag tone={tone}>{t(`channels.status.${word}`)}</StatusTag>
              {resting.has(index) && <StatusTag tone="warning">{t('channels.page.keyRests')}</StatusTag>}
              {reason !== '' && (
                <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
                  {reason}
                  {time > 0 && (
                    <>
                      {' · '}
                      <Moment seconds={time} />
                    </>
                  )}
                </Typography>
              )}
            </Box>
          );
        })}
      </Box>
      <ChannelKeysDialog channel={isManaging ? channel : null} onClose={() => setIsManaging(false)} />
    </Section>
  );
}
