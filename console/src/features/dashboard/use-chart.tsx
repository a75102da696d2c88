import Box from '@mui/material/Box';
import { useColorScheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import type { AxisValueFormatterContext } from '@mui/x-charts/models';
import { BrandMark } from '../../shared/brand/brand-mark';
import { useAxisText, useMeasureText } from './use-measure-text';
import type { Measure, UseLine } from './use-sums';

interface UseChartProps {
  label: string;
  periods: readonly number[];
  lines: readonly UseLine[];
  measure: Measure;
  /** The lines are models: each has the logo of its maker. */
  isOfModels: boolean;
  periodText: (seconds: number) => string;
  /** A bar was clicked: the line, and the place of its period. */
  onPick?: (line: UseLine, period: number) => void;
}

const HEIGHT = 280;
/** Apart by hue and by lightness, readable on both grounds; the last one is for everything else. */
const INKS = {
  light: ['#4f46e5', '#0d9488', '#d97706', '#db2777', '#0284c7', '#65a30d', '#7c3aed', '#78829a'],
  dark: ['#8b8cf8', '#2dd4bf', '#fbbf24', '#f472b6', '#38bdf8', '#a3e635', '#c4a7fd', '#8a94ab'],
} as const;
const CHART_LINES = INKS.light.length - 1;

/** Stacked bars: a bar a period, a part a model, the largest at the bottom. The tooltip begins with the total. */
export function UseChart({ label, periods, lines, measure, isOfModels, periodText, onPick }: UseChartProps) {
  const text = useMeasureText(measure);
  const axisText = useAxisText(measure);
  const { mode, systemMode } = useColorScheme();
  const inks = INKS[(mode === 'system' ? systemMode : mode) === 'dark' ? 'dark' : 'light'];
  const totalAt = (at: number) => {
    const period = periods.indexOf(at);
    return lines.reduce((total, line) => total + (line.periods[period]?.[measure] ?? 0), 0);
  };
  return (
    <Box>
      <Box role="img" aria-label={label}>
        <BarChart
          height={HEIGHT}
          margin={{ left: 0, right: 8, top: 12, bottom: 0 }}
          xAxis={[
            {
              scaleType: 'band',
              data: [...periods],
              valueFormatter: (at: number, { location }: AxisValueFormatterContext) =>
                location === 'tooltip' ? `${periodText(at)} · ${text(totalAt(at))}` : periodText(at),
              disableLine: true,
              disableTicks: true,
              categoryGapRatio: 0.35,
            },
          ]}
          yAxis={[
            {
              valueFormatter: (value: number, context: AxisValueFormatterContext) =>
                context.location === 'tick' && 'ticks' in context.scale
                  ? axisText(value, context.scale.ticks(context.tickNumber).map(Number))
                  : text(value),
              disableLine: true,
              disableTicks: true,
              width: 72,
            },
          ]}
          series={lines.map((line, index) => ({
            id: line.name,
            stack: 'all',
            label: line.name,
            color: inks[Math.min(index, CHART_LINES)],
            data: line.periods.map((sums) => sums[measure]),
            valueFormatter: (value: number | null) => (value === null || value === 0 ? null : text(value)),
          }))}
          grid={{ horizontal: true }}
          hideLegend
          skipAnimation
          onItemClick={(_event, { seriesId, dataIndex }) => {
            const line = lines.find(({ name }) => name === seriesId);
            if (line !== undefined && dataIndex !== undefined) onPick?.(line, dataIndex);
          }}
        />
      </Box>
      <Box
        component="ul"
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 0.5,
          columnGap: 2,
          listStyle: 'none',
          m: 0,
          mt: 1,
          p: 0,
        }}
      >
        {lines.map((line, index) => (
          <Box
            component="li"
            key={line.name}
            sx={{ display: 'flex', gap: 0.75, alignItems: 'center', fontSize: 12.5, minWidth: 0 }}
          >
            <Box
              aria-hidden
              sx={{
                width: 10,
                height: 10,
                borderRadius: '3px',
                flexShrink: 0,
                bgcolor: inks[Math.min(index, CHART_LINES)],
              }}
            />
            {isOfModels && <BrandMark name={line.name} sizePx={14} />}
            <span style={{ overflowWrap: 'anywhere' }}>{line.name}</span>
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {text(line[measure])}
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
