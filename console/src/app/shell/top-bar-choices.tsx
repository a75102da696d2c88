import ListItemIcon from '@mui/material/ListItemIcon';
import MenuItem from '@mui/material/MenuItem';
import { useColorScheme } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCurrentUser } from '../../api/current-user';
import { changeLanguage, LANGUAGES } from '../../i18n';
import { ButtonMenu, type OpenedMenu } from '../../shared/page/button-menu';
import { useSiteLinks } from './site-links';
import { THEME_ICONS } from './theme-icons';
import { useMayRegister } from './use-may-register';

/** The menus of the top bar, in one file that is loaded when the first of them is opened. */

export function LanguageChoices(opened: OpenedMenu) {
  const { i18n } = useTranslation();
  return (
    <ButtonMenu {...opened}>
      {LANGUAGES.map((language) => (
        <MenuItem
          key={language.code}
          lang={language.code}
          role="menuitemradio"
          aria-checked={i18n.resolvedLanguage === language.code}
          selected={i18n.resolvedLanguage === language.code}
          onClick={() => {
            void changeLanguage(language.code);
            opened.onClose();
          }}
        >
          {language.name}
        </MenuItem>
      ))}
    </ButtonMenu>
  );
}

const MODES = ['light', 'dark', 'system'] as const;

export function ThemeChoices(opened: OpenedMenu) {
  const { t } = useTranslation();
  const { mode, setMode } = useColorScheme();
  return (
    <ButtonMenu {...opened}>
      {MODES.map((each) => (
        <MenuItem
          key={each}
          role="menuitemradio"
          aria-checked={mode === each}
          selected={mode === each}
          onClick={() => {
            setMode(each);
            opened.onClose();
          }}
        >
          <ListItemIcon>{THEME_ICONS[each]}</ListItemIcon>
          {t(`shell.theme.${each}`)}
        </MenuItem>
      ))}
    </ButtonMenu>
  );
}

export function SiteChoices(opened: OpenedMenu) {
  const { t } = useTranslation();
  const links = useSiteLinks();
  const isGuest = useCurrentUser() === null;
  const mayRegister = useMayRegister();
  return (
    <ButtonMenu {...opened}>
      {links.map(({ id, label, to, href }) =>
        href === undefined ? (
          <MenuItem key={id} component={Link} to={to} onClick={opened.onClose}>
            {label}
          </MenuItem>
        ) : (
          <MenuItem
            key={id}
            component="a"
            href={href}
            target="_blank"
            rel="noreferrer"
            onClick={opened.onClose}
          >
            {label}
          </MenuItem>
        ),
      )}
      {isGuest && mayRegister && (
        <MenuItem component={Link} to="/register" onClick={opened.onClose}>
          {t('shell.link.register')}
        </MenuItem>
      )}
    </ButtonMenu>
  );
}
