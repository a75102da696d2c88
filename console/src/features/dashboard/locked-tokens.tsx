import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { lockedTokensQuery } from './api';

/** Own tokens an administrator locked, with the reason; nothing while there are none. */
export function LockedTokens() {
  const { t } = useTranslation();
  const { data = [] } = useQuery(lockedTokensQuery);
  return data.map(({ id, name, lock }) => (
    <Alert
      key={id}
      severity="warning"
      action={
        <Button component={Link} to="/token" color="inherit" size="small">
          {t('dashboard.locked.open')}
        </Button>
      }
    >
      {t('dashboard.locked.text', { name, reason: lock?.reason ?? '' })}
    </Alert>
  ));
}
