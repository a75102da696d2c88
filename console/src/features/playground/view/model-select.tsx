import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';

interface ModelSelectProps {
  model: string;
  models: readonly string[];
  label: string;
  onChange: (model: string) => void;
  /** The label is read out and not shown. */
  isCompact?: boolean;
}

export function ModelSelect({ model, models, label, onChange, isCompact = false }: ModelSelectProps) {
  const { t } = useTranslation();
  return (
    <TextField
      select
      size="small"
      fullWidth
      label={isCompact ? undefined : label}
      value={models.includes(model) ? model : ''}
      onChange={(event) => onChange(event.target.value)}
      helperText={models.length === 0 ? t('playground.noModels') : undefined}
      slotProps={isCompact ? { select: { 'aria-label': label } } : {}}
    >
      {models.map((name) => (
        <MenuItem key={name} value={name}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}
