import VisibilityOffRounded from '@mui/icons-material/VisibilityOffRounded';
import VisibilityRounded from '@mui/icons-material/VisibilityRounded';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { MONO } from '../format/mono';
import { FieldFrame } from './field-frame';
import { useField, type FieldProps } from './use-field';

interface TextFieldProps<T extends FieldValues> extends FieldProps<T> {
  placeholder?: string;
  autoComplete?: string;
  type?: 'text' | 'password';
  autoFocus?: boolean;
  /** Number of lines; 1 when left out. */
  lines?: number;
  mono?: boolean;
  aside?: ReactNode;
  end?: ReactNode;
}

export function TextField<T extends FieldValues>(props: TextFieldProps<T>) {
  const { id, field, error, aria } = useField(props);
  return (
    <FieldFrame {...props} id={id} error={error}>
      <OutlinedInput
        {...field}
        value={field.value ?? ''}
        inputRef={field.ref}
        id={id}
        type={props.type}
        fullWidth
        error={error !== undefined}
        disabled={props.disabled}
        multiline={props.lines !== undefined}
        minRows={props.lines}
        maxRows={props.lines === undefined ? undefined : props.lines + 8}
        placeholder={props.placeholder}
        autoComplete={props.autoComplete ?? 'off'}
        autoFocus={props.autoFocus}
        inputProps={{ ...aria, spellCheck: false }}
        endAdornment={
          props.end === undefined ? undefined : <InputAdornment position="end">{props.end}</InputAdornment>
        }
        sx={{ '& input, & textarea': props.mono === true ? { fontFamily: MONO, fontSize: 13 } : {} }}
      />
    </FieldFrame>
  );
}

/** A password or key: hidden, can be looked at while typing. */
export function SecretField<T extends FieldValues>(props: TextFieldProps<T>) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <TextField
      autoComplete="new-password"
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <IconButton
          size="small"
          edge="end"
          aria-label={t(shown ? 'common.hideNamed' : 'common.revealNamed', { name: props.label })}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          {shown ? <VisibilityOffRounded fontSize="small" /> : <VisibilityRounded fontSize="small" />}
        </IconButton>
      }
    />
  );
}
