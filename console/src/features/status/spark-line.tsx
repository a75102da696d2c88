import Box from '@mui/material/Box';

interface SparkLineProps {
  /** One per minute; null = nothing was measured. */
  values: readonly (number | null)[];
  /** Description for screen readers: range and last value. */
  label: string;
}

const WIDTH = 240;
const HEIGHT = 36;
const STROKE = 1.5;

/** An hour as a line, a gap where nothing was measured; the figures are beside it. */
export function SparkLine({ values, label }: SparkLineProps) {
  const most = Math.max(1e-9, ...values.map((value) => value ?? 0));
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, index) =>
    value === null
      ? null
      : ([index * step, HEIGHT - STROKE - (value / most) * (HEIGHT - 2 * STROKE)] as const),
  );
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      sx={{
        display: 'block',
        width: '100%',
        height: HEIGHT,
        '& path': {
          fill: 'none',
          stroke: 'var(--mui-palette-primary-main)',
          strokeWidth: STROKE,
          vectorEffect: 'non-scaling-stroke',
          strokeLinejoin: 'round',
        },
      }}
    >
      {pathsOf(points).map((path) => (
        <path key={path} d={path} />
      ))}
    </Box>
  );
}

/** One path per run of points without a gap; a point alone is a dash. */
function pathsOf(points: readonly (readonly [number, number] | null)[]): string[] {
  const paths: string[] = [];
  let run: string[] = [];
  const close = (): void => {
    if (run.length === 1) run.push('h 1');
    if (run.length > 0) paths.push(run.join(' '));
    run = [];
  };
  for (const point of points) {
    if (point === null) close();
    else run.push(`${run.length === 0 ? 'M' : 'L'} ${point[0].toFixed(1)} ${point[1].toFixed(1)}`);
  }
  close();
  return paths;
}
