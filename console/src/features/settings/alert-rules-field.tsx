import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '../../shared/form/field-frame';
import { useField, type FieldProps } from '../../shared/form/use-field';

/** In the order of the server. */
export const ALERT_RULES = [
  'instance-gone',
  'worker-gone',
  'worker-restarting',
  'database-away',
  'degraded-mode',
  'breaker-open',
  'event-loop',
  'clock-skew',
  'revision-differs',
  'version-differs',
  'spool-old',
  'settlement-lag',
  'writeoffs',
  'overruns',
  'books-differ',
  'order-mismatch',
  'error-rate',
  'model-out',
  'channel-balance',
  'mail-failing',
  'job-failed',
] as const;

/** What is told: a tick per rule. Stored are those without one, so that a rule of the next version is told. */
export function AlertRulesField<T extends FieldValues>(props: FieldProps<T>) {
  const { t } = useTranslation();
  const { id, field, error } = useField(props);
  const off: readonly string[] = Array.isArray(field.value) ? (field.value as string[]) : [];
  const toggle = (rule: string) =>
    field.onChange(off.includes(rule) ? off.filter((each) => each !== rule) : [...off, rule]);
  return (
    <FieldFrame {...props} id={id} error={error}>
      <Box
        id={id}
        role="group"
        aria-labelledby={`${id}-label`}
        sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}
      >
        {ALERT_RULES.map((rule, index) => (
          <FormControlLabel
            key={rule}
            label={t(`settings.alertRule.${rule}`)}
            disabled={props.disabled}
            slotProps={{ typography: { variant: 'body2' } }}
            control={
              <Checkbox
                size="small"
                checked={!off.includes(rule)}
                onChange={() => toggle(rule)}
                onBlur={field.onBlur}
                slotProps={{ input: { ref: index === 0 ? field.ref : undefined } }}
              />
            }
          />
        ))}
      </Box>
    </FieldFrame>
  );
}
