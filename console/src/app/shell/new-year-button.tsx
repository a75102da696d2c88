import CelebrationRounded from '@mui/icons-material/CelebrationRounded';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { toast } from '../../shared/feedback/toast';

/** Wishes a happy new year. */
export function NewYearButton() {
  const { t } = useTranslation();
  return (
    <IconButton
      size="small"
      color="primary"
      title={t('shell.festive')}
      aria-label={t('shell.festive')}
      onClick={() => toast('success', t('shell.festive'))}
    >
      <CelebrationRounded fontSize="small" />
    </IconButton>
  );
}
