import Typography from '@mui/material/Typography';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { ownAddress } from '../../shared/browser/base-path';
import { useStatus } from '../../shared/session/status';
import { CopyableText } from '../../shared/value/copyable';

interface CallbackAddressProps {
  /** Path of the callback page; left out where the provider wants the address of this site. */
  path?: '/oauth/github' | '/oauth/oidc' | '/oauth/linuxdo' | '/api/stripe/webhook';
}

/** Address to enter at the provider, ready to be copied. */
export function CallbackAddress({ path }: CallbackAddressProps) {
  const { t } = useTranslation();
  const configured = useStatus()?.server_address ?? '';
  const origin = configured === '' ? ownAddress() : configured;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, mb: 2, minWidth: 0 }}>
      <Typography variant="body2" color="textSecondary">
        {path === '/api/stripe/webhook'
          ? t('settings.callback.webhook')
          : t(path === undefined ? 'settings.callback.site' : 'settings.callback.page')}
      </Typography>
      <CopyableText text={origin + (path ?? '')} />
    </Box>
  );
}
