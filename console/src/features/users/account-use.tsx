import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { Tip } from '../../shared/feedback/tip';
import { formatQuota } from '../../shared/format/quota';
import { dayAfter, dayBefore, formatSeconds, startOfDay } from '../../shared/format/timestamp';
import { Section } from '../../shared/page/section';
import { useQuotaSettings } from '../../shared/session/status';
import { Quota } from '../../shared/value/quota';
import { useNow } from '../../shared/value/use-now';
import { accountUseQuery } from './account.api';
import { type DayUse, daysOf, sumOfDays } from './account-days';

const DAYS = 30;
const HEIGHT = 120;
/** Share of the height that a day with use has at least. */
const LOWEST = 0.02;

/** Spend of an account by day, and its sums of today, seven and thirty days. */
export function AccountUse({ username }: { username: string }) {
  const { t } = useTranslation();
  const end = dayAfter(startOfDay(useNow()));
  const starts = daysBefore(end);
  const query = useQuery(accountUseQuery(username, starts[0] ?? end, end));
  const title = t('users.account.use.title');
  if (query.isError)
    return (
      <Section title={title}>
        <Failed
          title={t('users.account.use.failed')}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      </Section>
    );
  if (query.data === undefined)
    return (
      <Section title={title}>
        <Skeleton variant="rounded" height={HEIGHT} />
      </Section>
    );
  const days = daysOf(query.data, starts);
  const sums = [
    ['today', days.slice(-1)],
    ['week', days.slice(-7)],
    ['month', days],
  ] as const;
  const isUnused = days.every(({ calls }) => calls === 0);
  return (
    <Section title={title} explanation={t('users.account.use.help')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1.5, mb: 2 }}>
        {sums.map(([word, part]) => {
          const { quota, calls } = sumOfDays(part);
          return (
            <div key={word}>
              <Typography variant="caption" color="textSecondary" component="p">
                {t(`users.account.use.${word}`)}
              </Typography>
              <Typography component="p" sx={{ fontWeight: 620, fontSize: 17 }}>
                <Quota value={quota} />
              </Typography>
              <Typography variant="caption" color="textSecondary" component="p">
                {t('users.account.use.calls', { count: calls, calls: calls.toLocaleString('en-US') })}
              </Typography>
            </div>
          );
        })}
      </Box>
      {isUnused ? <Empty title={t('users.account.use.none')} /> : <Bars days={days} label={title} />}
    </Section>
  );
}

function Bars({ days, label }: { days: readonly DayUse[]; label: string }) {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  const most = Math.max(...days.map(({ quota }) => quota), 1);
  return (
    <Box
      role="img"
      aria-label={label}
      sx={{
        display: 'flex',
        alignItems: 'flex-end',
        gap: '2px',
        height: HEIGHT,
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      {days.map(({ start, quota, calls }) => (
        <Tip
          key={start}
          title={t('users.account.use.day', {
            day: formatSeconds(start).slice(0, 10),
            amount: formatQuota(quota, settings),
            calls: calls.toLocaleString('en-US'),
          })}
        >
          <Box sx={{ flex: 1, height: '100%', display: 'flex', alignItems: 'flex-end' }}>
            <Box
              sx={{
                width: '100%',
                borderRadius: '3px 3px 0 0',
                bgcolor: 'primary.main',
                height: calls === 0 ? 0 : `${Math.max(LOWEST, quota / most) * 100}%`,
              }}
            />
          </Box>
        </Tip>
      ))}
    </Box>
  );
}

/** Starts of the last thirty days, the oldest first. */
function daysBefore(end: number): number[] {
  const starts: number[] = [];
  for (let start = dayBefore(end); starts.length < DAYS; start = dayBefore(start)) starts.unshift(start);
  return starts;
}
