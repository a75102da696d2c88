import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { FieldValues } from 'react-hook-form';
import { fromInputTime, toInputTime } from '../format/timestamp';
import { FieldFrame } from './field-frame';
import { useField, type FieldProps } from './use-field';

export interface TimeShortcut {
  readonly label: string;
  /** Seconds since 1970, or undefined for "no time". */
  seconds(): number | undefined;
}

interface TimeFieldProps<T extends FieldValues> extends FieldProps<T> {
  shortcuts?: readonly TimeShortcut[];
  /** Word shown while there is no time. */
  noneLabel?: string;
}

/** A moment in seconds since 1970, or undefined. A text that is no date becomes NaN for the schema to refuse. */
export function TimeField<T extends FieldValues>(props: TimeFieldProps<T>) {
  const { id, field, error, aria } = useField(props);
  const seconds: number | undefined = field.value;
  return (
    <FieldFrame {...props} id={id} error={error}>
      <Box sx={{ display: 'flex', gap: 0.75, flexWrap: 'wrap', alignItems: 'center' }}>
        <OutlinedInput
          id={id}
          name={field.name}
          type="datetime-local"
          value={seconds === undefined || Number.isNaN(seconds) ? '' : toInputTime(seconds)}
          inputRef={field.ref}
          onBlur={field.onBlur}
          disabled={props.disabled}
          error={error !== undefined}
          inputProps={aria}
          onChange={(event) =>
            field.onChange(
              event.target.value === '' ? undefined : (fromInputTime(event.target.value) ?? Number.NaN),
            )
          }
          sx={{ width: 220 }}
        />
        {props.shortcuts?.map((shortcut) => (
          <Button
            key={shortcut.label}
            size="small"
            variant="outlined"
            color={shortcut.seconds() === undefined && seconds === undefined ? 'primary' : 'inherit'}
            onClick={() => field.onChange(shortcut.seconds())}
          >
            {shortcut.label}
          </Button>
        ))}
      </Box>
    </FieldFrame>
  );
}
