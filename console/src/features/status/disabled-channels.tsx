import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { isRecord, parseJson } from '../../shared/format/json';
import { Section } from '../../shared/page/section';
import { Moment } from '../../shared/value/moment';
import { disabledChannelsQuery, type StatusChannel } from './api';

/** Channels the gateway disabled by itself, with reason and time; nothing while there are none. */
export function DisabledChannels() {
  const { t } = useTranslation();
  const { data = [] } = useQuery(disabledChannelsQuery);
  if (data.length === 0) return null;
  return (
    <Section title={t('status.disabled.title')} explanation={t('status.disabled.text')}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.5 }}>
        {data.map((channel) => (
          <Line key={channel.id} channel={channel} />
        ))}
      </Box>
    </Section>
  );
}

function Line({ channel }: { channel: StatusChannel }) {
  const { reason, seconds } = reasonOf(channel);
  return (
    <Box component="li" sx={{ minWidth: 0 }}>
      <Link component={RouterLink} to={`/channel/${channel.id}`} sx={{ fontWeight: 550 }}>
        {`${channel.name} #${channel.id}`.trim()}
      </Link>{' '}
      {seconds > 0 && <Moment seconds={seconds} />}
      {reason !== '' && (
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Typography>
      )}
    </Box>
  );
}

function reasonOf({ other_info: text }: StatusChannel): { reason: string; seconds: number } {
  const info = parseJson(text);
  if (!isRecord(info)) return { reason: '', seconds: 0 };
  const { status_reason: reason, status_time: seconds } = info;
  return {
    reason: typeof reason === 'string' ? reason : '',
    seconds: typeof seconds === 'number' ? seconds : 0,
  };
}
