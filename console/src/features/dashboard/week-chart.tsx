import Box from '@mui/material/Box';
import { BarChart } from '@mui/x-charts/BarChart';
import { useTheme } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { formatQuota } from '../../shared/format/quota';
import { useQuotaSettings } from '../../shared/session/status';
import type { DaySpending } from './api';

const HEIGHT = 240;

export function WeekChart({ days }: { days: readonly DaySpending[] }) {
  const { t, i18n } = useTranslation();
  const settings = useQuotaSettings();
  const theme = useTheme();
  const weekday = new Intl.DateTimeFormat(i18n.resolvedLanguage, {
    weekday: 'short',
    month: 'numeric',
    day: 'numeric',
  });
  return (
    <Box role="img" aria-label={t('dashboard.chart.title')}>
      <BarChart
        height={HEIGHT}
        margin={{ left: 0, right: 8, top: 12, bottom: 0 }}
        xAxis={[
          {
            scaleType: 'band',
            data: days.map((day) => day.day),
            valueFormatter: (seconds: number) => weekday.format(new Date(seconds * 1000)),
            disableLine: true,
            disableTicks: true,
            categoryGapRatio: 0.45,
          },
        ]}
        yAxis={[
          {
            valueFormatter: (quota: number) => formatQuota(quota, settings),
            disableLine: true,
            disableTicks: true,
            width: 64,
          },
        ]}
        series={[
          {
            data: days.map((day) => day.quota),
            label: t('dashboard.chart.spent'),
            color: theme.vars?.palette.primary.main ?? theme.palette.primary.main,
            valueFormatter: (quota) => formatQuota(quota ?? 0, settings),
          },
        ]}
        borderRadius={5}
        grid={{ horizontal: true }}
        hideLegend
        skipAnimation
      />
    </Box>
  );
}
