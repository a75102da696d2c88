import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { AlertCard } from './alert-card';
import { CallbackAddress } from './callback-address';
import type { HeadingId } from './option-field-types';
import { MailCard } from './mail-card';
import { RoutingCard } from './native-forecast';
import { OidcCard } from './oidc-card';
import { SettingsCard, type SettingsCardProps } from './settings-card';

function GitHubCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  return (
    <SettingsCard
      {...props}
      mainSwitch="githubEnabled"
      explanation={t('settings.explain.github')}
      lead={<CallbackAddress path="/oauth/github" />}
    />
  );
}

function LinuxDoCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  return (
    <SettingsCard
      {...props}
      mainSwitch="linuxDoEnabled"
      explanation={t('settings.explain.linuxDo')}
      lead={<CallbackAddress path="/oauth/linuxdo" />}
    />
  );
}

function WeChatCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  return <SettingsCard {...props} mainSwitch="weChatEnabled" explanation={t('settings.explain.weChat')} />;
}

function TelegramCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  return (
    <SettingsCard
      {...props}
      mainSwitch="telegramEnabled"
      explanation={t('settings.explain.telegram')}
      lead={<CallbackAddress />}
    />
  );
}

function HumanCheckCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  return (
    <SettingsCard
      {...props}
      mainSwitch="humanCheckEnabled"
      explanation={t('settings.explain.humanCheck')}
      lead={<CallbackAddress />}
    />
  );
}

function EmailRulesCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  return <SettingsCard {...props} explanation={t('settings.explain.emailRules')} />;
}

function PaymentCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  return <SettingsCard {...props} explanation={t('settings.explain.payment')} />;
}

function EpayCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  return <SettingsCard {...props} explanation={t('settings.explain.epay')} />;
}

function StripeCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  return (
    <SettingsCard
      {...props}
      mainSwitch="stripeEnabled"
      explanation={t('settings.explain.stripe')}
      lead={<CallbackAddress path="/api/stripe/webhook" />}
    />
  );
}

/** Cards that hold more than their fields. */
export const OWN_CARDS: Readonly<Partial<Record<HeadingId, ComponentType<SettingsCardProps>>>> = {
  emailRules: EmailRulesCard,
  mail: MailCard,
  oidc: OidcCard,
  github: GitHubCard,
  linuxDo: LinuxDoCard,
  weChat: WeChatCard,
  telegram: TelegramCard,
  humanCheck: HumanCheckCard,
  payment: PaymentCard,
  epay: EpayCard,
  stripe: StripeCard,
  alerts: AlertCard,
  routing: RoutingCard,
};
