import Alert from '@mui/material/Alert';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useNavigate } from 'react-router';
import { SignInPage } from '../../shared/page/sign-in-page';
import { Section } from '../../shared/page/section';
import { useStatus } from '../../shared/session/status';
import { useLegalDocuments } from './legal-documents';
import { LegalSentence } from './legal-sentence';
import { OtherSignInMethods } from './other-sign-in-methods';
import { RegisterForm } from './register-form';
import { useSignInRedirect, WIDGET_LANDING } from './use-sign-in-redirect';
import { useInviteCode } from './use-invite-code';

export function RegisterPage() {
  const { t } = useTranslation();
  const status = useStatus();
  const navigate = useNavigate();
  const arrive = useSignInRedirect();
  useInviteCode();
  const documents = useLegalDocuments();
  const [agreed, setAgreed] = useState(false);
  const isLocked = documents !== undefined && !agreed;
  const isClosed = status?.register_enabled === false;
  return (
    <SignInPage title={t('signIn.register.title')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        {isClosed ? (
          <Alert severity="info">{t('signIn.register.off')}</Alert>
        ) : (
          <Section>
            {documents !== undefined && (
              <FormControlLabel
                sx={{ mb: 1.5 }}
                slotProps={{ typography: { variant: 'body2' } }}
                label={<LegalSentence of={documents} said="agree" />}
                control={
                  <Checkbox
                    size="small"
                    checked={agreed}
                    onChange={(_event, checked) => setAgreed(checked)}
                  />
                }
              />
            )}
            <RegisterForm withEmail={status?.email_verification === true} isLocked={isLocked} />
            {/* Every way in makes an account: none is offered before the consent. */}
            {!isLocked && (
              <OtherSignInMethods
                onAnswer={(answer) => {
                  if (answer.kind === 'user') void arrive(answer.user, WIDGET_LANDING);
                  else void navigate('/login', { state: { secondFactor: answer.ticket } });
                }}
              />
            )}
          </Section>
        )}
        <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'center' }}>
          {t('signIn.register.haveAccount')}{' '}
          <Link component={RouterLink} underline="always" to="/login">
            {t('signIn.register.login')}
          </Link>
        </Typography>
      </Box>
    </SignInPage>
  );
}
