import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Waiting for a page; shows nothing for the first 400 ms, so that quick loads do not flicker. */
export function Loading() {
  const { t } = useTranslation();
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setVisible(true), 400);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Box sx={{ display: 'grid', placeItems: 'center', minHeight: 240 }} role="status" aria-busy>
      {visible && <CircularProgress size={26} aria-label={t('common.loading')} />}
    </Box>
  );
}
