import MailOutlineRounded from '@mui/icons-material/MailOutlineRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { ProviderIcon } from '../../shared/identity/provider-icon';
import {
  enabledProviders,
  isRedirectProvider,
  providerName,
  PROVIDERS,
  type Provider,
} from '../../shared/identity/providers';
import { useStartOutside } from '../../shared/identity/start-external-login';
import { Section } from '../../shared/page/section';
import { useFreshly } from '../../shared/identity/step-up';
import type { Self } from '../../shared/session/self';
import { useStatus } from '../../shared/session/status';
import { useBindWeChat, useUnbind } from './identities.api';
import { ListRow } from './list-row';

const WeChatDialog = lazyDialog(
  async () => (await import('../../shared/identity/wechat-dialog')).WeChatDialog,
  ({ open }) => open,
);
const EmailDialog = lazyDialog(
  async () => (await import('./email-dialog')).EmailDialog,
  ({ open }) => open,
);
const TelegramDialog = lazyDialog(
  async () => (await import('./telegram-dialog')).TelegramDialog,
  ({ open }) => open,
);

/** Member of an account for each identity. */
const MEMBERS = {
  github: 'github_id',
  oidc: 'oidc_id',
  linuxdo: 'linux_do_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
} as const satisfies Record<Provider, keyof Self>;

/** Mail address and outside identities of the account. */
export function Bindings({ self }: { self: Self }) {
  const { t } = useTranslation();
  const enabled = enabledProviders(useStatus());
  const [dialog, setDialog] = useState<'email' | 'wechat' | 'telegram' | null>(null);
  const close = () => setDialog(null);
  const freshly = useFreshly();
  const errorText = useErrorText();
  const start = useStartOutside();
  const bindWeChat = useBindWeChat();

  const bind = async (provider: Provider) => {
    if (provider === 'wechat' || provider === 'telegram') {
      setDialog(provider);
      return;
    }
    if (!isRedirectProvider(provider)) return;
    try {
      await freshly(() => start.mutateAsync({ provider, intent: 'bind' }));
    } catch (error) {
      toast('error', errorText(error));
    }
  };
  const shown = PROVIDERS.filter((provider) => enabled.includes(provider) || self[MEMBERS[provider]] !== '');
  return (
    <Section title={t('personal.bindings.title')} explanation={t('personal.bindings.help')}>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        <Line
          icon={<MailOutlineRounded fontSize="small" aria-hidden />}
          name={t('identity.email.label')}
          value={self.email}
          action={
            <Button size="small" onClick={() => setDialog('email')}>
              {self.email === '' ? t('personal.bindings.bindEmail') : t('personal.bindings.changeEmail')}
            </Button>
          }
        />
        {shown.map((provider) => {
          const name = providerName(provider, t);
          const value = self[MEMBERS[provider]];
          return (
            <Line
              key={provider}
              icon={<ProviderIcon provider={provider} />}
              name={name}
              value={value}
              unbindAs={provider}
              action={
                value === '' && (
                  <Button
                    size="small"
                    aria-label={t('personal.bindings.bindNamed', { name })}
                    loading={start.isPending && start.variables.provider === provider}
                    onClick={() => void bind(provider)}
                  >
                    {t('personal.bindings.bind')}
                  </Button>
                )
              }
            />
          );
        })}
      </Box>
      <EmailDialog open={dialog === 'email'} onClose={close} />
      <TelegramDialog open={dialog === 'telegram'} onClose={close} />
      <WeChatDialog
        open={dialog === 'wechat'}
        submitLabel={t('personal.bindings.bind')}
        onClose={close}
        onCode={async (code) => {
          await freshly(() => bindWeChat.mutateAsync(code));
          toast('success', t('personal.bindings.bound'));
          close();
        }}
      />
    </Section>
  );
}

interface LineProps {
  icon: ReactNode;
  name: string;
  /** Empty when nothing is bound. */
  value: string;
  /** Left out when it can be changed only. */
  unbindAs?: Provider;
  action: ReactNode;
}

function Line({ icon, name, value, unbindAs, action }: LineProps) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const freshly = useFreshly();
  const errorText = useErrorText();
  const unbind = useUnbind();
  const askAndUnbind = async (provider: Provider) => {
    const yes = await confirm({
      title: t('personal.bindings.unbindNamed', { name }),
      consequence: t('personal.bindings.unbindHelp', { name }),
      action: t('personal.bindings.unbind'),
      danger: true,
    });
    if (!yes) return;
    try {
      await freshly(() => unbind.mutateAsync(provider));
      toast('success', t('personal.bindings.unbound'));
    } catch (error) {
      toast('error', errorText(error));
    }
  };
  return (
    <ListRow>
      {icon}
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2">{name}</Typography>
        <Typography variant="caption" color="textSecondary" noWrap component="p" title={value}>
          {value === '' ? t('personal.bindings.none') : value}
        </Typography>
      </Box>
      {action}
      {value !== '' && unbindAs !== undefined && (
        <Button
          size="small"
          color="inherit"
          loading={unbind.isPending}
          aria-label={t('personal.bindings.unbindNamed', { name })}
          onClick={() => void askAndUnbind(unbindAs)}
        >
          {t('personal.bindings.unbind')}
        </Button>
      )}
    </ListRow>
  );
}
