import { useColorScheme } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { OpensMenu } from '../../shared/page/menu-button';
import { THEME_ICONS } from './theme-icons';

const ThemeChoices = lazyPart(async () => (await import('./top-bar-choices')).ThemeChoices);

export function ThemeMenu() {
  const { t } = useTranslation();
  const { mode = 'system' } = useColorScheme();
  return (
    <OpensMenu
      label={t('shell.theme.label')}
      icon={THEME_ICONS[mode]}
      menu={(opened) => <ThemeChoices {...opened} />}
    />
  );
}
