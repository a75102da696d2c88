import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { StatusTag } from '../../shared/feedback/status-tag';
import { Section } from '../../shared/page/section';
import { firstChannelsQuery } from './api';
import { healthQuery, type ChannelHealth } from './use.api';

const WORST_SHOWN = 5;
const GOOD_SHARE = 0.99;
const POOR_SHARE = 0.9;

/** Health of the channels in the last 24 hours; highest failure rate first. */
export function HealthSection() {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(healthQuery);
  const names = useQuery(firstChannelsQuery).data?.names;
  const channels = data?.channels.map(sumChannel).toSorted((left, right) => right.failed - left.failed) ?? [];
  const answered = channels.reduce((sum, channel) => sum + channel.answered, 0);
  const failed = channels.reduce((sum, channel) => sum + channel.failed, 0);
  return (
    <Section
      title={t('dashboard.health.title')}
      action={
        <Button component={Link} to="/channel" size="small" color="inherit">
          {t('dashboard.health.all')}
        </Button>
      }
    >
      {isError ? (
        <Failed title={t('dashboard.loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={120} />
      ) : answered + failed === 0 ? (
        <Empty title={t('dashboard.health.none')} />
      ) : (
        <>
          <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap', mb: 1.5 }}>
            <ShareTag answered={answered} failed={failed} />
            <Typography variant="body2" color="textSecondary">
              {t('dashboard.health.sum', {
                answered: answered.toLocaleString('en-US'),
                failed: failed.toLocaleString('en-US'),
              })}
            </Typography>
          </Box>
          <Table
            size="small"
            aria-label={t('dashboard.health.title')}
            sx={{ '& th:not(:first-of-type)': { width: '1%' } }}
          >
            <TableHead>
              <TableRow>
                <TableCell>{t('dashboard.health.channel')}</TableCell>
                <TableCell align="right">{t('dashboard.health.answered')}</TableCell>
                <TableCell align="right">{t('dashboard.health.failed')}</TableCell>
                <TableCell align="right">{t('dashboard.health.share')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {channels.slice(0, WORST_SHOWN).map((channel) => (
                <TableRow key={channel.id}>
                  <TableCell sx={{ whiteSpace: 'normal' }}>
                    <Button
                      component={Link}
                      to={`/log?channel=${channel.id}`}
                      size="small"
                      sx={{
                        ml: -1.25,
                        justifyContent: 'flex-start',
                        textAlign: 'left',
                        minWidth: 0,
                        whiteSpace: 'normal',
                        overflowWrap: 'anywhere',
                      }}
                    >
                      {names?.get(channel.id) ?? `#${channel.id}`}
                    </Button>
                  </TableCell>
                  <TableCell align="right">{channel.answered.toLocaleString('en-US')}</TableCell>
                  <TableCell align="right">{channel.failed.toLocaleString('en-US')}</TableCell>
                  <TableCell align="right">
                    <ShareTag answered={channel.answered} failed={channel.failed} />
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </>
      )}
    </Section>
  );
}

function ShareTag({ answered, failed }: { answered: number; failed: number }) {
  const share = answered / (answered + failed);
  const tone = share >= GOOD_SHARE ? 'ok' : share >= POOR_SHARE ? 'warning' : 'fault';
  return <StatusTag tone={tone}>{`${(share * 100).toFixed(1)}%`}</StatusTag>;
}

function sumChannel(channel: ChannelHealth['channels'][number]) {
  const sum = (hours: readonly number[]) => hours.reduce((total, hour) => total + hour, 0);
  return { id: channel.channel_id, answered: sum(channel.success), failed: sum(channel.errors) };
}
