import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { Failed } from '../shared/feedback/failed';

/** A page that broke, or whose code could not be loaded (an update happened meanwhile). */
export function CrashPage() {
  const { t } = useTranslation();
  return (
    <Box component="main" sx={{ maxWidth: 640, mx: 'auto', mt: 6 }}>
      <Failed title={t('shell.crash.title')} error={useRouteError()} />
      <Button variant="contained" sx={{ ml: 2 }} onClick={() => window.location.reload()}>
        {t('common.reload')}
      </Button>
    </Box>
  );
}
