import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useLocation, useNavigate } from 'react-router';
import { SignInPage } from '../../shared/page/sign-in-page';
import { Section } from '../../shared/page/section';
import { ConfirmReset } from './confirm-reset';
import { RequestReset } from './request-reset';
import { readResetLink } from './reset-link';

/** Two pages in one: asking for a reset link, and where the link leads. */
export function ResetPage() {
  const { t } = useTranslation();
  const location = useLocation();
  const navigate = useNavigate();
  const [link] = useState(() => readResetLink(location.search, location.hash));
  const carriesToken = readResetLink(location.search, location.hash) !== null;
  useEffect(() => {
    // The token stays out of the history and out of sight.
    if (carriesToken) void navigate('/reset', { replace: true });
  }, [carriesToken, navigate]);
  return (
    <SignInPage
      title={link === null ? t('reset.request.title') : t('reset.confirm.title')}
      lead={link === null ? t('reset.request.lead') : undefined}
    >
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Section>{link === null ? <RequestReset /> : <ConfirmReset link={link} />}</Section>
        <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'center' }}>
          <Link component={RouterLink} underline="always" to="/login">
            {t('reset.login')}
          </Link>
        </Typography>
      </Box>
    </SignInPage>
  );
}
