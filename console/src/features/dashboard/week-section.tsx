import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Skeleton from '@mui/material/Skeleton';
import Switch from '@mui/material/Switch';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { formatSeconds, startOfDay } from '../../shared/format/timestamp';
import { Section } from '../../shared/page/section';
import { Quota } from '../../shared/value/quota';
import { useNow } from '../../shared/value/use-now';
import { weekQuery, type DaySpending } from './api';

const WeekChart = lazy(() => import('./week-chart').then((module) => ({ default: module.WeekChart })));
const CHART_HEIGHT = 240;

/** A bar a day, with the same figures as a table behind it. */
export function WeekSection({ isAdministrator }: { isAdministrator: boolean }) {
  const { t } = useTranslation();
  const [everybody, setEverybody] = useState(isAdministrator);
  const [asTable, setAsTable] = useState(false);
  const today = startOfDay(useNow());
  const { data, error, isError, refetch } = useQuery(weekQuery(everybody, today));
  return (
    <Section
      title={t('dashboard.chart.title')}
      action={
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', justifyContent: 'flex-end' }}>
          {isAdministrator && (
            <FormControlLabel
              label={t('dashboard.chart.all')}
              sx={{ '& .MuiTypography-root': { fontSize: 13 } }}
              control={<Switch checked={everybody} onChange={(_event, on) => setEverybody(on)} />}
            />
          )}
          <Button size="small" color="inherit" onClick={() => setAsTable(!asTable)}>
            {asTable ? t('dashboard.chart.hide') : t('dashboard.chart.table')}
          </Button>
        </Box>
      }
    >
      {isError ? (
        <Failed title={t('dashboard.loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton variant="rounded" height={CHART_HEIGHT} />
      ) : asTable ? (
        <WeekTable days={data.days} />
      ) : data.days.every((day) => day.quota === 0) ? (
        <Box sx={{ minHeight: CHART_HEIGHT, display: 'grid', placeItems: 'center' }}>
          <Empty title={t('dashboard.chart.nothing')} />
        </Box>
      ) : (
        <Suspense fallback={<Skeleton variant="rounded" height={CHART_HEIGHT} />}>
          <WeekChart days={data.days} />
        </Suspense>
      )}
    </Section>
  );
}

function WeekTable({ days }: { days: readonly DaySpending[] }) {
  const { t } = useTranslation();
  return (
    <Table size="small" aria-label={t('dashboard.chart.title')}>
      <TableHead>
        <TableRow>
          <TableCell>{t('dashboard.chart.day')}</TableCell>
          <TableCell align="right">{t('dashboard.chart.spent')}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {days.map((day) => (
          <TableRow key={day.day}>
            <TableCell>{formatSeconds(day.day).slice(0, 10)}</TableCell>
            <TableCell align="right">
              <Quota value={day.quota} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
