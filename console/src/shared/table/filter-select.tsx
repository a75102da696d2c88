import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';

interface FilterSelectProps<V extends string> {
  value: string;
  label: string;
  values: readonly V[];
  /** Label of a value; the value itself, when left out. */
  text?: (value: V) => string;
  /** Label of the empty value, which filters nothing; without it there is no such choice. */
  all?: string;
  onChange: (value: string) => void;
  width?: number;
}

/** A filter with few values. */
export function FilterSelect<V extends string>({
  value,
  label,
  values,
  text = String,
  all,
  onChange,
  width = 150,
}: FilterSelectProps<V>) {
  const names = new Map<string, string>(all === undefined ? [] : [['', all]]);
  for (const each of values) names.set(each, text(each));
  if (!names.has(value)) names.set(value, value);
  return (
    <Select
      value={value}
      displayEmpty
      onChange={(event) => onChange(event.target.value)}
      inputProps={{ 'aria-label': label }}
      renderValue={(chosen) => names.get(chosen)}
      sx={{
        minWidth: { xs: 'calc(50% - 4px)', sm: width },
        maxWidth: 220,
        height: 36,
        flexGrow: { xs: 1, sm: 0 },
      }}
    >
      {Array.from(names, ([each, name]) => (
        <MenuItem key={each} value={each}>
          {name}
        </MenuItem>
      ))}
    </Select>
  );
}
