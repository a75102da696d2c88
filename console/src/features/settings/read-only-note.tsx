import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';

/** Why nothing here can be changed. */
export function ReadOnlyNote() {
  const { t } = useTranslation();
  return (
    <Alert severity="info" sx={{ mb: 2, maxWidth: 720 }}>
      {t('settings.readOnly')}
    </Alert>
  );
}
