import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { toast } from '../../shared/feedback/toast';
import { formatSeconds } from '../../shared/format/timestamp';
import { Section } from '../../shared/page/section';
import { useChangeWeeklyEmail, type WeeklyEmail, weeklyEmailQuery } from './weekly-email.api';

/** The switch of the weekly summary by e-mail. */
export function WeeklyEmailSection() {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(weeklyEmailQuery);
  return (
    <Section title={t('personal.weekly.title')}>
      {isError ? (
        <Failed title={t('personal.weekly.failed')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={56} />
      ) : (
        <WeeklySwitch email={data} />
      )}
    </Section>
  );
}

function WeeklySwitch({ email }: { email: WeeklyEmail }) {
  const { t } = useTranslation();
  const id = useId();
  const change = useChangeWeeklyEmail();
  const isOn = change.isPending ? change.variables : email.enabled;
  const state = useStateText(email);
  const isBarred = !email.enabled && (!email.available || email.address === '');
  return (
    <Box sx={{ display: 'flex', gap: 2, justifyContent: 'space-between' }}>
      <Box sx={{ minWidth: 0 }}>
        <Typography component="label" htmlFor={id} variant="subtitle2">
          {t('personal.weekly.label')}
        </Typography>
        <Typography id={`${id}-help`} variant="body2" color="textSecondary" sx={{ maxWidth: 640 }}>
          {t('personal.weekly.help')}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
          {state}
        </Typography>
      </Box>
      <Switch
        id={id}
        checked={isOn}
        disabled={isBarred}
        slotProps={{ input: { role: 'switch', 'aria-describedby': `${id}-help` } }}
        onChange={(_event, on) =>
          change.mutate(on, {
            onSuccess: () => toast('success', t(on ? 'personal.weekly.on' : 'personal.weekly.off')),
          })
        }
      />
    </Box>
  );
}

/** Returns the address and time of the next e-mail, or the reason why it cannot be switched on. */
function useStateText({ available, address, next_at: next }: WeeklyEmail): string {
  const { t } = useTranslation();
  if (!available) return t('personal.weekly.unavailable');
  if (address === '') return t('personal.weekly.noAddress');
  if (next === null) return t('personal.weekly.goesTo', { address });
  return t('personal.weekly.next', { address, time: formatSeconds(next).slice(0, 16) });
}
