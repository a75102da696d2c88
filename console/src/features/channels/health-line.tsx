import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../shared/feedback/tip';
import { formatMilliseconds } from '../../shared/format/duration';
import type { ChannelHealth } from './api';

type Line = ChannelHealth['channels'][number];

const HEIGHT = 20;
const BAR = 3;
const GAP = 1;

/** A day of one channel: a bar an hour, its failed part on top; the figures on hover and for screen readers. */
export function HealthLine({ line }: { line: Line | undefined }) {
  const { t } = useTranslation();
  const hours = line?.success.map((success, hour) => ({ success, failed: line.errors[hour] ?? 0 })) ?? [];
  const calls = hours.reduce((sum, hour) => sum + hour.success + hour.failed, 0);
  if (calls === 0 || line === undefined)
    return <Box sx={{ color: 'text.secondary' }}>{t('channels.health.none')}</Box>;
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  const most = Math.max(...hours.map((hour) => hour.success + hour.failed));
  const medians = line.median_seconds.filter((seconds) => seconds !== null).toSorted((a, b) => a - b);
  const median = medians[Math.floor(medians.length / 2)];
  const label = t('channels.health.label', {
    count: calls,
    calls,
    failed,
    median: median === undefined ? t('channels.health.noMedian') : formatMilliseconds(median * 1_000),
  });
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
          const total = ((hour.success + hour.failed) / most) * HEIGHT;
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
