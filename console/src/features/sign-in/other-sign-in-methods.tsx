import FingerprintRounded from '@mui/icons-material/FingerprintRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { storedInviteCode } from '../../shared/browser/stored';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { ProviderIcon } from '../../shared/identity/provider-icon';
import {
  enabledProviders,
  isRedirectProvider,
  providerName,
  type Provider,
} from '../../shared/identity/providers';
import { useStartOutside } from '../../shared/identity/start-external-login';
import type { SignInAnswer } from '../../shared/session/sign-in-answer';
import { useStatus } from '../../shared/session/status';
import { usePasskeyLogin, useWeChatLogin } from './api';

const TelegramWidget = lazyPart(
  async () => (await import('../../shared/identity/telegram-widget')).TelegramWidget,
);
const WeChatDialog = lazyPart(async () => (await import('../../shared/identity/wechat-dialog')).WeChatDialog);

const browserHasPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function';

interface OtherWaysProps {
  /** `way` decides where the visitor lands. */
  onAnswer: (answer: SignInAnswer, way: 'passkey' | 'wechat') => void;
  /** Passkeys belong to accounts that exist: not offered where one signs up. */
  withPasskey?: boolean;
}

/** Every way in beside the password that is switched on. */
export function OtherSignInMethods({ onAnswer, withPasskey = false }: OtherWaysProps) {
  const { t } = useTranslation();
  const status = useStatus();
  const providers = enabledProviders(status);
  const passkey = withPasskey && status?.passkey_login === true && browserHasPasskeys();
  const start = useStartOutside();
  const errorText = useErrorText();
  const [weChatOpen, setWeChatOpen] = useState(false);
  const weChat = useWeChatLogin();
  if (providers.length === 0 && !passkey) return null;

  const open = (provider: Provider) => {
    if (provider === 'wechat') setWeChatOpen(true);
    else if (isRedirectProvider(provider)) {
      start.mutate(
        { provider, intent: 'login', inviteCode: storedInviteCode.read() },
        { onError: (error) => toast('error', errorText(error)) },
      );
    }
  };
  return (
    <Box sx={{ display: 'grid', gap: 1.25, mt: 2 }}>
      <Divider>{t('signIn.other.or')}</Divider>
      {passkey && <PasskeyButton onAnswer={(answer) => onAnswer(answer, 'passkey')} />}
      {providers
        .filter((provider) => provider !== 'telegram')
        .map((provider) => (
          <Button
            key={provider}
            variant="outlined"
            color="inherit"
            startIcon={<ProviderIcon provider={provider} />}
            loading={start.isPending && start.variables.provider === provider}
            onClick={() => open(provider)}
          >
            {t('signIn.other.with', { name: providerName(provider, t) })}
          </Button>
        ))}
      <Suspense fallback={null}>
        {providers.includes('telegram') && <TelegramWidget intent="login" />}
        {providers.includes('wechat') && (
          <WeChatDialog
            open={weChatOpen}
            submitLabel={t('signIn.login.submit')}
            onClose={() => setWeChatOpen(false)}
            onCode={async (code) => {
              const answer = await weChat.mutateAsync(code);
              setWeChatOpen(false);
              onAnswer(answer, 'wechat');
            }}
          />
        )}
      </Suspense>
    </Box>
  );
}

function PasskeyButton({ onAnswer }: { onAnswer: (answer: SignInAnswer) => void }) {
  const { t } = useTranslation();
  const login = usePasskeyLogin();
  return (
    <Button
      variant="outlined"
      color="inherit"
      startIcon={<FingerprintRounded fontSize="small" />}
      loading={login.isPending}
      onClick={() => login.mutate(undefined, { onSuccess: onAnswer })}
    >
      {t('signIn.other.passkey')}
    </Button>
  );
}
