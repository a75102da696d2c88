import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../shared/feedback/tip';
import { formatMilliseconds } from '../../shared/format/duration';
import { formatSeconds } from '../../shared/format/timestamp';
import type { ChannelHealth } from './api';

type Line = ChannelHealth['channels'][number];

const HEIGHT = 20;
const BAR = 3;
const GAP = 1;

interface HealthLineProps {
  line: Line | undefined;
  /** Start of the day that is shown, and since when attempts are counted; seconds. */
  since: number;
  countedSince: number | null;
}

/** A day of one channel: a bar an hour, its failed part on top; the figures on hover and for screen readers. */
export function HealthLine({ line, since, countedSince }: HealthLineProps) {
  const { t } = useTranslation();
  const hours =
    line?.attempts.map((attempts, hour) => ({ attempts, failed: line.failures[hour] ?? 0 })) ?? [];
  const calls = hours.reduce((sum, hour) => sum + hour.attempts, 0);
  if (calls === 0 || line === undefined)
    return <Box sx={{ color: 'text.secondary' }}>{t('channels.health.none')}</Box>;
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  const most = Math.max(...hours.map((hour) => hour.attempts));
  const medians = line.median_ms.filter((median) => median !== null).toSorted((a, b) => a - b);
  const median = medians[Math.floor(medians.length / 2)];
  const figures = t('channels.health.label', {
    count: calls,
    calls,
    failed,
    median: median === undefined ? t('channels.health.noMedian') : formatMilliseconds(median),
  });
  const label =
    countedSince === null || countedSince <= since
      ? figures
      : `${figures} · ${t('channels.health.countedSince', { time: formatSeconds(countedSince) })}`;
  return (
    <Tip title={label}>
      <Box
        component="svg"
        role="img"
        aria-label={label}
        width={hours.length * (BAR + GAP)}
        height={HEIGHT}
        sx={{
          display: 'block',
          '& .ok': { fill: 'var(--mui-palette-primary-light)' },
          '& .bad': { fill: 'var(--mui-palette-error-main)' },
        }}
      >
        {hours.map((hour, index) => {
          const total = (hour.attempts / most) * HEIGHT;
          const bad = hour.failed === 0 ? 0 : Math.max(2, (hour.failed / most) * HEIGHT);
          const x = index * (BAR + GAP);
          return (
            <g key={index}>
              <rect
                className="ok"
                x={x}
                width={BAR}
                rx={1}
                y={HEIGHT - Math.max(1.5, total)}
                height={Math.max(1.5, total)}
                opacity={total === 0 ? 0.25 : 1}
              />
              {bad > 0 && (
                <rect
                  className="bad"
                  x={x}
                  width={BAR}
                  rx={1}
                  y={HEIGHT - Math.max(total, bad)}
                  height={bad}
                />
              )}
            </g>
          );
        })}
      </Box>
    </Tip>
  );
}
