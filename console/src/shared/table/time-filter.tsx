import InputAdornment from '@mui/material/InputAdornment';
import { MomentInput } from '../form/moment-input';

interface TimeFilterProps {
  /** Seconds; undefined = empty. */
  value: number | undefined;
  label: string;
  /** Short word inside the field. */
  word?: string;
  onChange: (seconds: number | undefined) => void;
}

/** A moment in a toolbar. A text that is no moment yet, and a year that is still being typed (0002, 0020), change nothing. */
export function TimeFilter({ value, label, word, onChange }: TimeFilterProps) {
  return (
    <MomentInput
      value={value}
      onChange={(seconds) => {
        if (seconds === undefined || seconds >= 0) onChange(seconds);
      }}
      inputProps={{ 'aria-label': label }}
      startAdornment={
        word !== undefined && (
          <InputAdornment position="start" aria-hidden sx={{ '& p': { fontSize: 13 } }}>
            {word}
          </InputAdornment>
        )
      }
      sx={{ height: 36, width: { xs: '100%', sm: word === undefined ? 196 : 256 } }}
    />
  );
}
