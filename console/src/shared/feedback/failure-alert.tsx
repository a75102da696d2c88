import Alert from '@mui/material/Alert';
import type { SxProps, Theme } from '@mui/material/styles';
import { useErrorText } from './use-error-text';

interface FailureAlertProps {
  /** A sentence, or an error; nothing is shown without one. */
  failure: unknown;
  sx?: SxProps<Theme>;
}

/** The reason of a failed attempt; screen readers announce it at once. */
export function FailureAlert({ failure, sx }: FailureAlertProps) {
  const errorText = useErrorText();
  if (failure === undefined || failure === null) return null;
  return (
    <Alert severity="error" sx={sx}>
      {typeof failure === 'string' ? failure : errorText(failure)}
    </Alert>
  );
}
