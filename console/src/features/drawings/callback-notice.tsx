import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isAdministrator, isRoot, useCurrentUser } from '../../api/current-user';
import { useStatus } from '../../shared/session/status';

/** Warns administrators that callbacks are off, with a link to the switch for those who may change it. */
export function CallbackNotice() {
  const { t } = useTranslation();
  const user = useCurrentUser();
  const isOff = useStatus()?.mj_notify_enabled === false;
  if (!isOff || !isAdministrator(user)) return null;
  return (
    <Alert
      severity="info"
      role="status"
      sx={{ mb: 2 }}
      action={
        isRoot(user) ? (
          <Button component={Link} to="/setting?tab=operation" color="inherit" size="small">
            {t('drawings.openSettings')}
          </Button>
        ) : undefined
      }
    >
      {t('drawings.callbackOff')}
    </Alert>
  );
}
