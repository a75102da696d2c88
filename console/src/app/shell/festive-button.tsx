import CelebrationRounded from '@mui/icons-material/CelebrationRounded';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../shared/feedback/toast';

/** Wishes a happy new year, on 1 January where the reader is. */
export function FestiveButton() {
  const { t } = useTranslation();
  const [isNewYear] = useState(() => isFirstOfJanuary(new Date(Date.now())));
  if (!isNewYear) return null;
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

const isFirstOfJanuary = (day: Date): boolean => day.getMonth() === 0 && day.getDate() === 1;
