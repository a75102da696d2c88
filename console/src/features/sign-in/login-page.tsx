import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, Navigate, useLocation, useSearchParams } from 'react-router';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { SignInPage } from '../../shared/page/sign-in-page';
import { Section } from '../../shared/page/section';
import { storedUser } from '../../api/current-user';
import type { SignInAnswer } from '../../shared/session/sign-in-answer';
import { useStatus } from '../../shared/session/status';
import { useLegalDocuments } from './legal-documents';
import { LegalSentence } from './legal-sentence';
import { OtherSignInMethods } from './other-sign-in-methods';
import { PasswordForm } from './password-form';
import { backPath, LANDING, ticketOf, useSignInRedirect, WIDGET_LANDING } from './use-sign-in-redirect';
import { useInviteCode } from './use-invite-code';

const SecondFactorForm = lazyPart(async () => (await import('./second-factor-form')).SecondFactorForm);

/** A sign-in that waits for its second step. */
interface Waiting {
  readonly ticket: string;
  readonly landing: string;
  readonly isDefaultPassword: boolean;
}

export function LoginPage() {
  const { t } = useTranslation();
  const status = useStatus();
  // The arrival, not the redirect, continues a login that came through this page.
  const [wasSignedIn] = useState(() => storedUser.read() !== null);
  const documents = useLegalDocuments();
  const [search] = useSearchParams();
  const location = useLocation();
  const arrive = useSignInRedirect();
  useInviteCode();
  const begun = ticketOf(location.state);
  const [waiting, setWaiting] = useState<Waiting | null>(
    begun === undefined ? null : { ticket: begun, landing: LANDING, isDefaultPassword: false },
  );

  if (wasSignedIn) return <Navigate to={backPath(location.state) ?? LANDING} replace />;

  const take = (answer: SignInAnswer, landing: string, isDefaultPassword = false) => {
    if (answer.kind === 'user') void arrive(answer.user, landing, isDefaultPassword);
    else setWaiting({ ticket: answer.ticket, landing, isDefaultPassword });
  };
  if (waiting !== null) {
    return (
      <SignInPage title={t('signIn.second.title')}>
        <Section>
          <Suspense fallback={<Loading />}>
            <SecondFactorForm
              ticket={waiting.ticket}
              onUser={(arrived) => void arrive(arrived, waiting.landing, waiting.isDefaultPassword)}
              onBack={() => setWaiting(null)}
            />
          </Suspense>
        </Section>
      </SignInPage>
    );
  }

  const mayRegister = status?.register_enabled !== false && status?.self_use_mode_enabled !== true;
  return (
    <SignInPage title={t('signIn.login.title')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        {search.get('expired') === 'true' && <Alert severity="info">{t('signIn.login.expired')}</Alert>}
        {status?.password_login_enabled === false && (
          <Alert severity="warning">{t('signIn.login.off')}</Alert>
        )}
        <Section>
          <PasswordForm
            unlock={search.get('unlock') ?? undefined}
            onAnswer={(answer, isDefaultPassword) => take(answer, LANDING, isDefaultPassword)}
          />
          <OtherSignInMethods
            withPasskey
            onAnswer={(answer, way) => take(answer, way === 'wechat' ? WIDGET_LANDING : LANDING)}
          />
        </Section>
        {documents !== undefined && (
          <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'center' }}>
            <LegalSentence of={documents} said="byEntering" />
          </Typography>
        )}
        {mayRegister && (
          <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'center' }}>
            {t('signIn.login.noAccount')}{' '}
            <Link component={RouterLink} underline="always" to="/register">
              {t('signIn.login.register')}
            </Link>
          </Typography>
        )}
      </Box>
    </SignInPage>
  );
}
