import SearchRounded from '@mui/icons-material/SearchRounded';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useRef, useState } from 'react';

interface SearchBoxProps {
  value: string;
  label: string;
  onChange: (text: string) => void;
  width?: number;
}

const PAUSE_MS = 350;

/** Searches when typing pauses, and at once on Enter; a word that is still being composed is not searched for. */
export function SearchBox({ value, label, onChange, width = 240 }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [composing, setComposing] = useState(false);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  // The address changed from outside (a chip was removed, the page was entered again): follow it.
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value || composing) return;
    const timer = setTimeout(() => latest.current(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, composing]);
  return (
    <OutlinedInput
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !composing) onChange(text.trim());
      }}
      onCompositionStart={() => setComposing(true)}
      onCompositionEnd={() => setComposing(false)}
      placeholder={label}
      type="search"
      inputProps={{ 'aria-label': label }}
      startAdornment={
        <InputAdornment position="start">
          <SearchRounded fontSize="small" aria-hidden />
        </InputAdornment>
      }
      sx={{ width: { xs: '100%', sm: width }, height: 36, '& input': { textOverflow: 'ellipsis' } }}
    />
  );
}
