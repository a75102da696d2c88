import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { FieldFrame } from './field-frame';
import { useField, type FieldProps } from './use-field';

interface NumberFieldProps<T extends FieldValues> extends FieldProps<T> {
  unit?: string;
  min?: number;
  max?: number;
  step?: number;
}

/** A number. What is not one becomes NaN, so that the schema can refuse it with its own sentence. */
export function NumberField<T extends FieldValues>(props: NumberFieldProps<T>) {
  const { id, field, error, aria } = useField(props);
  const [text, setText] = useState(() => asText(field.value));
  const shown = sameNumber(text, field.value) ? text : asText(field.value);
  return (
    <FieldFrame {...props} id={id} error={error}>
      <OutlinedInput
        id={id}
        name={field.name}
        value={shown}
        inputRef={field.ref}
        onBlur={field.onBlur}
        onChange={(event) => {
          setText(event.target.value);
          field.onChange(event.target.value.trim() === '' ? Number.NaN : Number(event.target.value));
        }}
        type="number"
        error={error !== undefined}
        disabled={props.disabled}
        autoComplete="off"
        inputProps={{ ...aria, min: props.min, max: props.max, step: props.step ?? 1, inputMode: 'decimal' }}
        endAdornment={
          props.unit === undefined ? undefined : <InputAdornment position="end">{props.unit}</InputAdornment>
        }
        sx={{ width: { xs: '100%', sm: 220 } }}
      />
    </FieldFrame>
  );
}

function asText(value: unknown): string {
  return typeof value === 'number' && !Number.isNaN(value) ? String(value) : '';
}

function sameNumber(text: string, value: unknown): boolean {
  const parsed = text.trim() === '' ? Number.NaN : Number(text);
  return Object.is(parsed, value);
}
