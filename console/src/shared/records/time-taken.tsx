import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { formatSpan, spanTone } from '../format/duration';
import { SPEED_COLOURS } from '../value/speed';

interface TimeTakenProps {
  /** Milliseconds since 1970; 0 = not known. */
  fromMs: number;
  toMs: number;
}

/** From submission to the end: green up to a minute, red above. */
export function TimeTaken({ fromMs, toMs }: TimeTakenProps) {
  const { t } = useTranslation();
  if (fromMs <= 0 || toMs <= 0)
    return (
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {t('records.notAvailable')}
      </Box>
    );
  // Clocks of two machines: an end before the beginning is a time of none.
  const takenMs = Math.max(0, toMs - fromMs);
  return (
    <Box
      component="span"
      sx={{ color: SPEED_COLOURS[spanTone(takenMs)], fontWeight: 550, whiteSpace: 'nowrap' }}
    >
      {formatSpan(takenMs)}
    </Box>
  );
}
