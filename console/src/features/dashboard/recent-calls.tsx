import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { MONO } from '../../shared/format/mono';
import { Section } from '../../shared/page/section';
import { Moment } from '../../shared/value/moment';
import { Quota } from '../../shared/value/quota';
import { allRecentCallsQuery, recentCallsQuery, type RecentCall } from './api';

/** The latest calls, the account's own or those of all accounts; each opens its explanation. */
export function RecentCalls({ isOwn }: { isOwn: boolean }) {
  const { t } = useTranslation();
  const own = useQuery({ ...recentCallsQuery, enabled: isOwn });
  const all = useQuery({ ...allRecentCallsQuery, enabled: !isOwn });
  const { data, error, isError, refetch } = isOwn ? own : all;
  return (
    <Section
      title={t('dashboard.recent.title')}
      action={
        <Button component={Link} to="/log" size="small" color="inherit">
          {t('dashboard.recent.all')}
        </Button>
      }
      flush
    >
      {isError ? (
        <Failed title={t('dashboard.recent.failed')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Box sx={{ px: 2.5, pb: 2 }}>
          <Skeleton height={34} />
          <Skeleton height={34} />
          <Skeleton height={34} />
        </Box>
      ) : data.items.length === 0 ? (
        <Empty title={t('dashboard.recent.empty')} explanation={t('dashboard.recent.emptyHelp')} />
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, pb: 1 }}>
          {data.items.map((call) => (
            <li key={call.id}>
              <CallLine call={call} />
            </li>
          ))}
        </Box>
      )}
    </Section>
  );
}

function CallLine({ call }: { call: RecentCall }) {
  const path = call.request_id === null ? '/log' : `/log?open=${encodeURIComponent(call.request_id)}`;
  return (
    <ButtonBase
      component={Link}
      to={path}
      sx={{
        display: 'flex',
        width: '100%',
        gap: 2,
        px: 2.5,
        minHeight: 42,
        fontSize: 13,
        justifyContent: 'flex-start',
        textAlign: 'left',
        borderTop: 1,
        borderColor: 'divider',
        '&:hover': { bgcolor: 'action.hover' },
      }}
    >
      <Box
        component="span"
        sx={{
          flex: 1,
          minWidth: 0,
          fontFamily: MONO,
          fontSize: 12.5,
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
        }}
      >
        {call.model_name}
      </Box>
      <Box component="span" sx={{ color: 'text.secondary' }}>
        <Moment seconds={call.created_at} />
      </Box>
      <Box component="span" sx={{ minWidth: 76, textAlign: 'right', fontWeight: 550 }}>
        <Quota value={call.quota} />
      </Box>
    </ButtonBase>
  );
}
