import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router';
import { storedInviteCode } from '../../shared/browser/stored';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { isRedirectProvider } from '../../shared/identity/providers';
import { SignInPage } from '../../shared/page/sign-in-page';
import { Section } from '../../shared/page/section';
import { storedUser } from '../../api/current-user';
import { useEnter } from '../../shared/session/enter';
import { completeExternalLogin, finishTelegram, isTelegramAnswer, type CallbackResult } from './api';

/** Address after a binding: the identities in the personal settings. */
const BOUND_LANDING = '/personal?tab=security';
const LOGIN_LANDING = '/token';
/** A login by Telegram continues on the home page. */
const TELEGRAM_LANDING = '/';

/** Address to which an outside service sends the visitor back. */
export function OauthCallbackPage() {
  const { t } = useTranslation();
  const { provider = '', intent } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const enter = useEnter();
  const errorText = useErrorText();
  const [hasFailed, setHasFailed] = useState(false);
  const wasStarted = useRef(false);

  useEffect(() => {
    // A code and a state count once: a second run of the effect must not spend them.
    if (wasStarted.current) return;
    wasStarted.current = true;
    const query = Object.fromEntries(new URLSearchParams(search));
    const finish = async (): Promise<void> => {
      const result = await redeem(provider, intent, query);
      if (result === null) throw new Error(t('oauthCallback.incomplete'));
      if (result.kind === 'bound') {
        toast('success', t('oauthCallback.bound'));
        await navigate(BOUND_LANDING, { replace: true });
      } else if (result.kind === 'second-factor') {
        await navigate('/login', { replace: true, state: { secondFactor: result.ticket } });
      } else {
        enter(result.user);
        storedInviteCode.clear();
        toast('success', t('signIn.login.success'));
        await navigate(provider === 'telegram' ? TELEGRAM_LANDING : LOGIN_LANDING, { replace: true });
      }
    };
    finish().catch((error: unknown) => {
      setHasFailed(true);
      toast('error', errorText(error));
      void navigate(storedUser.read() === null ? '/login' : BOUND_LANDING, { replace: true });
    });
  }, [provider, intent, search, navigate, enter, errorText, t]);

  return (
    <SignInPage title={t('oauthCallback.title')}>
      <Section>
        <Box role="status" sx={{ display: 'flex', gap: 1.5, alignItems: 'center', justifyContent: 'center' }}>
          <CircularProgress size={20} aria-hidden />
          <Typography>{hasFailed ? t('oauthCallback.failed') : t('oauthCallback.processing')}</Typography>
        </Box>
      </Section>
    </SignInPage>
  );
}

/** Null when the address is not one a service returns to. */
async function redeem(
  provider: string,
  intent: string | undefined,
  query: Readonly<Record<string, string>>,
): Promise<CallbackResult | null> {
  if (provider === 'telegram') {
    if ((intent !== 'login' && intent !== 'bind') || !isTelegramAnswer(query)) return null;
    return finishTelegram(intent, query);
  }
  if (!isRedirectProvider(provider) || intent !== undefined) return null;
  // A refusal goes to the server as well: the state is used up, and the sentence is its own.
  return query['state'] === undefined ? null : completeExternalLogin(provider, query);
}
