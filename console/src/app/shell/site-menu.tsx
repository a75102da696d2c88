import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCurrentUser } from '../../api/current-user';
import { MenuButton } from '../../shared/page/menu-button';
import { useMayRegister } from './use-may-register';
import { useSiteLinks } from './site-links';

/** The links of the top bar where it has no room for them. */
export function SiteMenu() {
  const { t } = useTranslation();
  const links = useSiteLinks();
  const isGuest = useCurrentUser() === null;
  const mayRegister = useMayRegister();
  return (
    <MenuButton label={t('shell.site')} icon={<MoreHorizRounded fontSize="small" />}>
      {(close) => [
        ...links.map(({ id, label, to, href }) =>
          href === undefined ? (
            <MenuItem key={id} component={Link} to={to} onClick={close}>
              {label}
            </MenuItem>
          ) : (
            <MenuItem key={id} component="a" href={href} target="_blank" rel="noreferrer" onClick={close}>
              {label}
            </MenuItem>
          ),
        ),
        isGuest && mayRegister && (
          <MenuItem key="register" component={Link} to="/register" onClick={close}>
            {t('shell.link.register')}
          </MenuItem>
        ),
      ]}
    </MenuButton>
  );
}
