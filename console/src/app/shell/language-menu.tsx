import TranslateRounded from '@mui/icons-material/TranslateRounded';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { OpensMenu } from '../../shared/page/menu-button';

const LanguageChoices = lazyPart(async () => (await import('./top-bar-choices')).LanguageChoices);

export function LanguageMenu() {
  const { t } = useTranslation();
  return (
    <OpensMenu
      label={t('shell.language')}
      icon={<TranslateRounded fontSize="small" />}
      menu={(opened) => <LanguageChoices {...opened} />}
    />
  );
}
