import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { OpensMenu } from '../../shared/page/menu-button';

const SiteChoices = lazyPart(async () => (await import('./top-bar-choices')).SiteChoices);

/** The links of the top bar where it has no room for them. */
export function SiteMenu() {
  const { t } = useTranslation();
  return (
    <OpensMenu
      label={t('shell.site')}
      icon={<MoreHorizRounded fontSize="small" />}
      menu={(opened) => <SiteChoices {...opened} />}
    />
  );
}
