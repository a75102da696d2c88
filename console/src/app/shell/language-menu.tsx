import TranslateRounded from '@mui/icons-material/TranslateRounded';
import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { changeLanguage, LANGUAGES } from '../../i18n';
import { MenuButton } from '../../shared/page/menu-button';

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  return (
    <MenuButton label={t('shell.language')} icon={<TranslateRounded fontSize="small" />}>
      {(close) =>
        LANGUAGES.map((language) => (
          <MenuItem
            key={language.code}
            lang={language.code}
            role="menuitemradio"
            aria-checked={i18n.resolvedLanguage === language.code}
            selected={i18n.resolvedLanguage === language.code}
            onClick={() => {
              void changeLanguage(language.code);
              close();
            }}
          >
            {language.name}
          </MenuItem>
        ))
      }
    </MenuButton>
  );
}
