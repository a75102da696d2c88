import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';

interface FigureInputProps {
  value: number;
  label: string;
  unit?: string;
  onChange: (value: number) => void;
}

/** A figure in a table. What is no figure stays in the field, marked, and changes nothing. */
export function FigureInput({ value, label, unit, onChange }: FigureInputProps) {
  const [text, setText] = useState(String(value));
  const typed = text.trim() === '' ? Number.NaN : Number(text);
  // Another hand changed the figure: follow it, unless the field shows the same or is being typed in.
  const shown = Number.isNaN(typed) || typed < 0 || typed === value ? text : String(value);
  const isWrong = !(Number(shown) >= 0) || shown.trim() === '';
  return (
    <OutlinedInput
      size="small"
      value={shown}
      error={isWrong}
      onChange={(event) => {
        setText(event.target.value);
        const next = event.target.value.trim() === '' ? Number.NaN : Number(event.target.value);
        if (next >= 0) onChange(next);
      }}
      onBlur={() => setText(String(value))}
      type="number"
      inputProps={{ 'aria-label': label, 'aria-invalid': isWrong, min: 0, step: 0.01, inputMode: 'decimal' }}
      startAdornment={unit === undefined ? undefined : <span style={{ marginRight: 4 }}>{unit}</span>}
      autoComplete="off"
      sx={{ width: 112, height: 32, fontSize: 13 }}
    />
  );
}
