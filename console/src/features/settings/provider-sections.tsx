import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { AlertSection } from './alert-section';
import { CallbackAddress } from './callback-address';
import type { SectionId } from './option-field-types';
import { MailSection } from './mail-section';
import { OidcSection } from './oidc-section';
import { OptionSection, type SectionProps } from './option-section';

function GitHubSection(props: SectionProps) {
  const { t } = useTranslation();
  return (
    <OptionSection
      {...props}
      mainSwitch="githubEnabled"
      explanation={t('settings.explain.github')}
      lead={<CallbackAddress path="/oauth/github" />}
    />
  );
}

function LinuxDoSection(props: SectionProps) {
  const { t } = useTranslation();
  return (
    <OptionSection
      {...props}
      mainSwitch="linuxDoEnabled"
      explanation={t('settings.explain.linuxDo')}
      lead={<CallbackAddress path="/oauth/linuxdo" />}
    />
  );
}

function WeChatSection(props: SectionProps) {
  const { t } = useTranslation();
  return <OptionSection {...props} mainSwitch="weChatEnabled" explanation={t('settings.explain.weChat')} />;
}

function TelegramSection(props: SectionProps) {
  const { t } = useTranslation();
  return (
    <OptionSection
      {...props}
      mainSwitch="telegramEnabled"
      explanation={t('settings.explain.telegram')}
      lead={<CallbackAddress />}
    />
  );
}

function HumanCheckSection(props: SectionProps) {
  const { t } = useTranslation();
  return (
    <OptionSection
      {...props}
      mainSwitch="humanCheckEnabled"
      explanation={t('settings.explain.humanCheck')}
      lead={<CallbackAddress />}
    />
  );
}

function EmailRulesSection(props: SectionProps) {
  const { t } = useTranslation();
  return <OptionSection {...props} explanation={t('settings.explain.emailRules')} />;
}

function PaymentSection(props: SectionProps) {
  const { t } = useTranslation();
  return <OptionSection {...props} explanation={t('settings.explain.payment')} />;
}

function EpaySection(props: SectionProps) {
  const { t } = useTranslation();
  return <OptionSection {...props} explanation={t('settings.explain.epay')} />;
}

function StripeSection(props: SectionProps) {
  const { t } = useTranslation();
  return (
    <OptionSection
      {...props}
      mainSwitch="stripeEnabled"
      explanation={t('settings.explain.stripe')}
      lead={<CallbackAddress path="/api/stripe/webhook" />}
    />
  );
}

/** Sections that hold more than their fields. */
export const SECTION_COMPONENTS: Readonly<Partial<Record<SectionId, ComponentType<SectionProps>>>> = {
  emailRules: EmailRulesSection,
  mail: MailSection,
  oidc: OidcSection,
  github: GitHubSection,
  linuxDo: LinuxDoSection,
  weChat: WeChatSection,
  telegram: TelegramSection,
  humanCheck: HumanCheckSection,
  payment: PaymentSection,
  epay: EpaySection,
  stripe: StripeSection,
  alerts: AlertSection,
};
