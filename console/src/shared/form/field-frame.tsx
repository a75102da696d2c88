import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface FieldFrameProps {
  /** Id of the control the label belongs to. */
  id: string;
  label: string;
  /** Plain-language help; stays under the label instead of vanishing like a placeholder. */
  help?: ReactNode;
  error?: string;
  required?: boolean;
  /** Shown right of the label. */
  aside?: ReactNode;
  children: ReactNode;
}

/** Label, help, control, error: in that order, everywhere. */
export function FieldFrame({ id, label, help, error, required = false, aside, children }: FieldFrameProps) {
  const { t } = useTranslation();
  return (
    <Box data-field={id}>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1, justifyContent: 'space-between' }}>
        <Typography component="label" htmlFor={id} id={`${id}-label`} variant="subtitle2">
          {label}{' '}
          {required && (
            <Typography
              component="span"
              variant="caption"
              color="textSecondary"
              sx={{ ml: 0.75, fontWeight: 400 }}
            >
              {t('common.form.required')}
            </Typography>
          )}
        </Typography>
        {aside}
      </Box>
      {help !== undefined && (
        <Typography id={`${id}-help`} variant="body2" color="textSecondary" component="div" sx={{ mb: 0.5 }}>
          {help}
        </Typography>
      )}
      <Box sx={{ mt: 0.5 }}>{children}</Box>
      {error !== undefined && (
        <FormHelperText id={`${id}-error`} error sx={{ mt: 0.5 }}>
          {error}
        </FormHelperText>
      )}
    </Box>
  );
}

/** Ids of the texts that describe a control, for aria-describedby. */
export function describedBy(id: string, parts: { help: boolean; error: boolean }): string | undefined {
  const ids = [parts.help ? `${id}-help` : '', parts.error ? `${id}-error` : ''].filter(
    (each) => each !== '',
  );
  return ids.length === 0 ? undefined : ids.join(' ');
}
