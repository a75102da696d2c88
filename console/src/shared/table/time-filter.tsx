import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { fromInputTime, toInputTime } from '../format/timestamp';

interface TimeFilterProps {
  /** Seconds; undefined = empty. */
  value: number | undefined;
  label: string;
  /** Short word inside the field. */
  word?: string;
  onChange: (seconds: number | undefined) => void;
}

/** A moment in a toolbar. A year that is still being typed (0002, 0020) is no moment yet. */
export function TimeFilter({ value, label, word, onChange }: TimeFilterProps) {
  const known = toInputTime(value);
  const [typed, setTyped] = useState<string | null>(null);
  const change = (text: string) => {
    const seconds = text === '' ? undefined : fromInputTime(text);
    const isWhole = text === '' || (seconds !== undefined && seconds >= 0);
    setTyped(isWhole ? null : text);
    if (isWhole) onChange(seconds);
  };
  return (
    <OutlinedInput
      type="datetime-local"
      value={typed ?? known}
      onChange={(event) => change(event.target.value)}
      onBlur={() => setTyped(null)}
      inputProps={{ 'aria-label': label, max: '9999-12-31T23:59' }}
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
