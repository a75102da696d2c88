import { useTranslation } from 'react-i18next';
import { CallbackAddress } from './callback-address';
import { OptionSection, type SectionProps } from './option-section';

export function OidcSection(props: SectionProps) {
  const { t } = useTranslation();
  return (
    <OptionSection
      {...props}
      mainSwitch="oidcEnabled"
      explanation={t('settings.explain.oidc')}
      lead={<CallbackAddress path="/oauth/oidc" />}
    />
  );
}
