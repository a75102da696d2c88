import { useTranslation } from 'react-i18next';
import { OptionSection, type SectionProps } from './option-section';

export function MailSection(props: SectionProps) {
  const { t } = useTranslation();
  return <OptionSection {...props} explanation={t('settings.explain.mail')} />;
}
