import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';
import type { FieldErrors } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

interface ErrorSummaryProps {
  errors: FieldErrors;
  labelOf: (field: string) => string;
  /** Number of submits; each failed one moves focus here. */
  attempt: number;
}

/** Faults to correct, at the top of a form, after a submit that was refused. */
export function ErrorSummary({ errors, labelOf, attempt }: ErrorSummaryProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const wrong = Object.entries(errors).filter(([name]) => name !== 'root');
  const shown = attempt > 0 && wrong.length > 1;
  useEffect(() => {
    if (shown) box.current?.scrollIntoView({ block: 'nearest' });
  }, [attempt, shown]);
  if (!shown) return null;
  return (
    <Alert severity="error" ref={box} role="alert" sx={{ alignItems: 'flex-start' }}>
      <AlertTitle sx={{ fontSize: 14 }}>{t('common.form.correct', { count: wrong.length })}</AlertTitle>
      <Box component="ul" sx={{ m: 0, pl: 2.25 }}>
        {wrong.map(([name, error]) => (
          <li key={name}>
            {labelOf(name)}: {String(error?.message ?? '')}
          </li>
        ))}
      </Box>
    </Alert>
  );
}
