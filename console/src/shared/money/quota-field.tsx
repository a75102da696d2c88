import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { dollarsToQuota } from '../format/quota';
import { useQuotaSettings } from '../session/status';
import { FieldFrame } from '../form/field-frame';
import { useField, type FieldProps } from '../form/use-field';

/** Amounts a code or a token is usually worth: $1 to $1,000 at the usual quota per dollar. */
export const USUAL_AMOUNTS = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000] as const;

interface QuotaFieldProps<T extends FieldValues> extends FieldProps<T> {
  /** Amounts offered as buttons, in quota. */
  presets?: readonly number[];
}

/** An amount of quota: dollars and the exact integer side by side; either may be typed, the integer is what counts. */
export function QuotaField<T extends FieldValues>(props: QuotaFieldProps<T>) {
  const { t } = useTranslation();
  const { id, field, error, aria } = useField(props);
  const { quotaPerUnit } = useQuotaSettings();
  const quota = typeof field.value === 'number' ? field.value : Number.NaN;
  const [dollars, setDollars] = useState(() => dollarText(quota, quotaPerUnit));
  const shownDollars =
    dollarsToQuota(Number(dollars), quotaPerUnit) === quota ? dollars : dollarText(quota, quotaPerUnit);
  return (
    <FieldFrame {...props} id={id} error={error}>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        <OutlinedInput
          value={shownDollars}
          disabled={props.disabled}
          error={error !== undefined}
          inputProps={{
            'aria-label': t('common.form.inDollars', { name: props.label }),
            inputMode: 'decimal',
          }}
          startAdornment={<InputAdornment position="start">$</InputAdornment>}
          onBlur={field.onBlur}
          onChange={(event) => {
            const text = event.target.value;
            setDollars(text);
            field.onChange(text.trim() === '' ? Number.NaN : dollarsToQuota(Number(text), quotaPerUnit));
          }}
          sx={{ width: 140 }}
        />
        <OutlinedInput
          id={id}
          name={field.name}
          inputRef={field.ref}
          onBlur={field.onBlur}
          value={Number.isNaN(quota) ? '' : String(quota)}
          disabled={props.disabled}
          error={error !== undefined}
          inputProps={{ ...aria, inputMode: 'numeric' }}
          endAdornment={<InputAdornment position="end">{t('common.quotaUnit')}</InputAdornment>}
          onChange={(event) =>
            field.onChange(event.target.value.trim() === '' ? Number.NaN : Number(event.target.value))
          }
          sx={{ flex: '1 1 180px' }}
        />
      </Box>
      {props.presets !== undefined && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, mt: 0.75 }}>
          {props.presets.map((preset) => (
            <Button
              key={preset}
              size="small"
              variant="outlined"
              color="inherit"
              disabled={props.disabled}
              onClick={() => field.onChange(preset)}
            >
              ${dollarText(preset, quotaPerUnit)}
            </Button>
          ))}
        </Box>
      )}
    </FieldFrame>
  );
}

function dollarText(quota: number, quotaPerUnit: number): string {
  return Number.isNaN(quota) ? '' : String(Number((quota / quotaPerUnit).toFixed(6)));
}
