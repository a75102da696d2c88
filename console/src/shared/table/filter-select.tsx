import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';

interface FilterSelectProps {
  value: string;
  label: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  width?: number;
}

/** A filter with few values. */
export function FilterSelect({ value, label, options, onChange, width = 150 }: FilterSelectProps) {
  const known = options.some((option) => option.value === value);
  return (
    <Select
      value={value}
      displayEmpty
      onChange={(event) => onChange(event.target.value)}
      inputProps={{ 'aria-label': label }}
      renderValue={(chosen) => options.find((option) => option.value === chosen)?.label ?? chosen}
      sx={{
        minWidth: { xs: 'calc(50% - 4px)', sm: width },
        maxWidth: 220,
        height: 36,
        flexGrow: { xs: 1, sm: 0 },
      }}
    >
      {options.map((option) => (
        <MenuItem key={option.value} value={option.value}>
          {option.label}
        </MenuItem>
      ))}
      {!known && <MenuItem value={value}>{value}</MenuItem>}
    </Select>
  );
}
