import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import type { FieldValues } from 'react-hook-form';
import { FieldFrame } from './field-frame';
import { useField, type FieldProps } from './use-field';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly note?: string;
}

interface SelectFieldProps<T extends FieldValues> extends FieldProps<T> {
  options: readonly SelectOption[];
}

export function SelectField<T extends FieldValues>(props: SelectFieldProps<T>) {
  const { id, field, error, aria } = useField(props);
  return (
    <FieldFrame {...props} id={id} error={error}>
      <Select
        value={String(field.value ?? '')}
        name={field.name}
        onBlur={field.onBlur}
        onChange={(event) => field.onChange(event.target.value)}
        inputRef={field.ref}
        displayEmpty
        fullWidth
        disabled={props.disabled}
        error={error !== undefined}
        slotProps={{ root: aria }}
        SelectDisplayProps={{ id, 'aria-labelledby': `${id}-label ${id}` }}
        renderValue={(value) => props.options.find((option) => option.value === value)?.label ?? value}
      >
        {props.options.map((option) => (
          <MenuItem
            key={option.value}
            value={option.value}
            sx={{ display: 'flex', gap: 2, justifyContent: 'space-between' }}
          >
            <span>{option.label}</span>
            {option.note !== undefined && <small style={{ opacity: 0.75 }}>{option.note}</small>}
          </MenuItem>
        ))}
      </Select>
    </FieldFrame>
  );
}
