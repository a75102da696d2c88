import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { providerName } from '../../shared/identity/providers';
import { remainingMethodsQuery, useReleaseMethods } from './api';

/** Identities and passkeys that open the account beside its new password, with one button that releases all of them. */
export function RemainingMethods() {
  const { t } = useTranslation();
  const { data } = useQuery(remainingMethodsQuery);
  const release = useReleaseMethods();
  if (release.isSuccess)
    return (
      <Alert severity="success" role="status">
        {t('reset.methods.released')}
      </Alert>
    );
  if (data === undefined || data.identities.length + data.passkeys.length === 0) return null;
  const names = [
    ...data.identities.map((provider) => providerName(provider, t)),
    ...data.passkeys.map((name) => t('reset.methods.passkey', { name })),
  ];
  return (
    <Alert severity="warning" sx={{ '& .MuiAlert-message': { minWidth: 0 } }}>
      <Typography variant="subtitle2">{t('reset.methods.title')}</Typography>
      <Box component="ul" sx={{ my: 1, pl: 2.5, overflowWrap: 'anywhere' }}>
        {names.map((name, index) => (
          <li key={`${index} ${name}`}>{name}</li>
        ))}
      </Box>
      {data.may_release ? (
        <>
          <Typography variant="body2">{t('reset.methods.text')}</Typography>
          <FailureAlert failure={release.error} />
          <Button
            size="small"
            color="warning"
            variant="outlined"
            loading={release.isPending}
            onClick={() => release.mutate()}
            sx={{ mt: 1 }}
          >
            {t('reset.methods.release')}
          </Button>
        </>
      ) : (
        <Typography variant="body2">{t('reset.methods.signInFirst')}</Typography>
      )}
    </Alert>
  );
}
