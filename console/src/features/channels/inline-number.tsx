import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../shared/feedback/toast';

interface InlineNumberProps {
  /** Undefined = the rows this stands for differ. */
  value: number | undefined;
  label: string;
  min: number;
  onCommit: (value: number) => void;
}

/** A number in a table cell, saved on blur or Enter; Escape restores the old value. Shows an error when it cannot be saved. */
export function InlineNumber({ value, label, min, onCommit }: InlineNumberProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string | null>(null);
  const commit = () => {
    if (draft === null) return;
    const next = Number(draft);
    setDraft(null);
    if (draft.trim() === '' || next === value) return;
    if (!Number.isInteger(next)) toast('error', `${label}: ${t('common.form.notInteger')}`);
    else if (next < min) toast('error', `${label}: ${t('common.form.atLeast', { min })}`);
    else onCommit(next);
  };
  const text = draft ?? (value === undefined ? '' : String(value));
  return (
    <OutlinedInput
      value={text}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape') setDraft(null);
      }}
      type="number"
      inputProps={{ 'aria-label': label, min, step: 1 }}
      sx={{
        // A number that is cut off reads as another one.
        width: `calc(${text.length}ch + 40px)`,
        minWidth: 52,
        height: 28,
        fontSize: 13,
        '& input': { px: 0.5, py: 0, textAlign: 'right' },
        '& .MuiOutlinedInput-notchedOutline': { borderColor: 'transparent' },
        bgcolor: 'transparent',
      }}
    />
  );
}
