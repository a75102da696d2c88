import LockOutlined from '@mui/icons-material/LockOutlined';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link, Outlet } from 'react-router';
import { Empty } from '../../shared/feedback/empty';
import { useCurrentUser } from '../../api/current-user';

/** Pages from a minimum role on. The server decides; this only spares a pointless visit. */
export function RequiresRole({ atLeast }: { atLeast: number }) {
  const user = useCurrentUser();
  return user !== null && user.role >= atLeast ? <Outlet /> : <Forbidden />;
}

function Forbidden() {
  const { t } = useTranslation();
  return (
    <Empty
      isPage
      icon={<LockOutlined />}
      title={t('shell.forbidden.title')}
      explanation={t('shell.forbidden.explanation')}
      action={
        <Button component={Link} to="/" variant="outlined">
          {t('shell.notFound.home')}
        </Button>
      }
    />
  );
}
