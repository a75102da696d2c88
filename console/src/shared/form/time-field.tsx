import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from './field-frame';
import { MomentInput } from './moment-input';
import { useField, type FieldProps } from './use-field';

const DAY = 86_400;
/** Spans from now that are offered as buttons, in seconds; undefined for "no time". */
const SPANS = {
  never: undefined,
  hour: 3_600,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
} as const;

interface TimeFieldProps<T extends FieldValues> extends FieldProps<T> {
  spans?: readonly (keyof typeof SPANS)[];
}

/** A moment in seconds since 1970, or undefined. A text that is no date becomes NaN for the schema to refuse. */
export function TimeField<T extends FieldValues>(props: TimeFieldProps<T>) {
  const { t } = useTranslation();
  const { id, field, error, aria } = useField(props);
  const seconds: number | undefined = field.value;
  return (
    <FieldFrame {...props} id={id} error={error}>
      <Box sx={{ display: 'flex', gap: 0.75, flexWrap: 'wrap', alignItems: 'center' }}>
        <MomentInput
          id={id}
          name={field.name}
          value={seconds}
          inputRef={field.ref}
          onBlur={field.onBlur}
          disabled={props.disabled}
          error={error !== undefined}
          inputProps={aria}
          onChange={field.onChange}
          sx={{ width: 220 }}
        />
        {props.spans?.map((span) => (
          <Button
            key={span}
            size="small"
            variant="outlined"
            color={SPANS[span] === undefined && seconds === undefined ? 'primary' : 'inherit'}
            onClick={() => field.onChange(fromNow(SPANS[span]))}
          >
            {t(`common.form.span.${span}`)}
          </Button>
        ))}
      </Box>
    </FieldFrame>
  );
}

const fromNow = (span: number | undefined): number | undefined =>
  span === undefined ? undefined : Math.floor(Date.now() / 1000) + span;
