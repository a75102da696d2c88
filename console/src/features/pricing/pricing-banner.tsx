import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';

interface PricingBannerProps {
  isGuest: boolean;
  /** The group whose prices are shown, and the reader's own. */
  group: string;
  ownGroup: string;
  ratio: number;
}

/** Account and group of these prices, and how a charge is computed. */
export function PricingBanner({ isGuest, group, ownGroup, ratio }: PricingBannerProps) {
  const { t } = useTranslation();
  return (
    <Alert severity={isGuest ? 'warning' : 'info'} sx={{ mb: 2, alignItems: 'flex-start' }}>
      {isGuest ? (
        <>
          {t('pricing.guest', { ratio })}{' '}
          <Link component={RouterLink} to="/login" underline="always" color="inherit">
            {t('pricing.login')}
          </Link>
        </>
      ) : group === ownGroup ? (
        t('pricing.ownGroup', { group, ratio })
      ) : (
        t('pricing.otherGroup', { group, ratio, own: ownGroup })
      )}
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25 }}>
        {t('pricing.formula')}
      </Typography>
    </Alert>
  );
}
