import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import LinearProgress from '@mui/material/LinearProgress';
import { useTranslation } from 'react-i18next';
import { percentOf } from '../format/percent';

interface ProgressProps {
  /** Text of the record, such as `30%`. */
  text: string;
  failed: boolean;
  form: 'bar' | 'circle';
}

/** Progress of a piece of work; of a failed one, in the colour of a warning. Words that are no percentage stand as they came. */
export function Progress({ text, failed, form }: ProgressProps) {
  const { t } = useTranslation();
  const percent = percentOf(text);
  if (percent === undefined) return <span>{text}</span>;
  const shape = {
    variant: 'determinate',
    value: percent,
    color: failed ? 'warning' : 'primary',
    'aria-label': t('records.column.progress'),
  } as const;
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        verticalAlign: 'middle',
        gap: 1,
        whiteSpace: 'nowrap',
      }}
    >
      {form === 'bar' ? (
        <LinearProgress {...shape} sx={{ width: 56, borderRadius: '3px' }} />
      ) : (
        <CircularProgress {...shape} enableTrackSlot size={18} thickness={6} />
      )}
      <Box component="span" aria-hidden sx={{ minWidth: 36 }}>
        {`${percent}%`}
      </Box>
    </Box>
  );
}
