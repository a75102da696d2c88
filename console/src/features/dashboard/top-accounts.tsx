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
import { AccountLink } from '../../shared/accounts/account-link';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { dayAfter, dayBefore, startOfDay } from '../../shared/format/timestamp';
import { Section } from '../../shared/page/section';
import { Quota } from '../../shared/value/quota';
import { useNow } from '../../shared/value/use-now';
import { type NamedUse, useOfSpanQuery } from './use.api';
import { sumUse } from './use-sums';
import { useDashboardInterval } from './use-dashboard-interval';

const SHOWN = 5;

/** Money of the day: what all accounts spent today and yesterday, and who spent most today. */
export function TopAccounts() {
  const { t } = useTranslation();
  const today = startOfDay(useNow());
  const yesterday = dayBefore(today);
  const end = dayAfter(today);
  const span = { start: yesterday, end, grain: 'day' } as const;
  const query = useQuery(useOfSpanQuery({ who: 'everybody', by: 'account' }, span, useDashboardInterval()));
  const others = t('dashboard.use.others');
  const nameOf = ({ name }: NamedUse) => name ?? others;
  const rows = query.data ?? [];
  const ids = new Map(rows.map((row) => [nameOf(row), row.userId ?? 0]));
  const day = sumUse(rows, nameOf, 'day', { start: today, end }, 'quota');
  const before = sumUse(rows, nameOf, 'day', { start: yesterday, end: today }, 'quota');
  const top = day.lines.filter(({ name }) => name !== others);
  return (
    <Section
      title={t('dashboard.money.title')}
      action={
        <Button component={Link} to="/detail?by=account" size="small" color="inherit">
          {t('dashboard.money.all')}
        </Button>
      }
    >
      {query.isError ? (
        <Failed title={t('dashboard.loadFailed')} error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Skeleton height={120} />
      ) : (
        <>
          <Box sx={{ display: 'flex', gap: 4, flexWrap: 'wrap', mb: 1.5 }}>
            {(
              [
                ['today', day.total],
                ['yesterday', before.total],
              ] as const
            ).map(([word, total]) => (
              <div key={word}>
                <Typography variant="caption" color="textSecondary" component="p">
                  {t(`dashboard.money.${word}`)}
                </Typography>
                <Typography component="p" sx={{ fontWeight: 620, fontSize: 17 }}>
                  <Quota value={total.quota} />
                </Typography>
                <Typography variant="caption" color="textSecondary" component="p">
                  {t('dashboard.money.calls', {
                    count: total.count,
                    calls: total.count.toLocaleString('en-US'),
                  })}
                </Typography>
              </div>
            ))}
          </Box>
          {day.lines.length === 0 ? (
            <Empty title={t('dashboard.money.none')} />
          ) : (
            <Table size="small" aria-label={t('dashboard.money.top')}>
              <TableHead>
                <TableRow>
                  <TableCell>{t('dashboard.part.account')}</TableCell>
                  <TableCell align="right">{t('dashboard.measure.quota')}</TableCell>
                  <TableCell align="right">{t('dashboard.measure.count')}</TableCell>
                </TableRow>
              </TableHead>
              <TableBody>
                {top.slice(0, SHOWN).map((line) => (
                  <TableRow key={line.name}>
                    <TableCell sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
                      <AccountLink id={ids.get(line.name) ?? 0} name={line.name} />
                    </TableCell>
                    <TableCell align="right">
                      <Quota value={line.quota} />
                    </TableCell>
                    <TableCell align="right">{line.count.toLocaleString('en-US')}</TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          )}
        </>
      )}
    </Section>
  );
}
