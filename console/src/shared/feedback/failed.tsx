import ReplayRounded from '@mui/icons-material/ReplayRounded';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useErrorText } from './use-error-text';

interface FailedProps {
  /** The failed act, as a sentence. */
  title: string;
  error: unknown;
  onRetry?: () => void;
}

/** A failure, and a way to try again. */
export function Failed({ title, error, onRetry }: FailedProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (
    <Alert
      severity="error"
      sx={{ m: 2 }}
      action={
        onRetry === undefined ? undefined : (
          <Button color="inherit" size="small" startIcon={<ReplayRounded />} onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )
      }
    >
      <AlertTitle sx={{ fontSize: 14, mb: 0 }}>{title}</AlertTitle>
      {errorText(error)}
    </Alert>
  );
}
