import BlockOutlined from '@mui/icons-material/BlockOutlined';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { useCurrentUser } from '../../api/current-user';
import { Empty } from '../../shared/feedback/empty';
import { useShownModules } from '../../shared/session/modules';

/** Pages the operator has not switched off. */
export function EnabledPages() {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const modules = useShownModules();
  const isGuest = useCurrentUser() === null;
  const asked = pathname.replace(/(?<=.)\/+$/, '');
  if (isGuest && asked === '/pricing' && modules.pricesNeedLogin)
    return <Navigate to="/login" replace state={{ back: pathname + search }} />;
  if (modules.page(asked)) return <Outlet />;
  return (
    <Empty
      isPage
      icon={<BlockOutlined />}
      title={t('shell.off.title')}
      explanation={t('shell.off.explanation')}
      action={
        <Button component={Link} to="/" variant="outlined">
          {t('shell.notFound.home')}
        </Button>
      }
    />
  );
}
