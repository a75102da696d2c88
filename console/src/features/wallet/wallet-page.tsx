import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { loadTexts } from '../../i18n';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { isTradeNumber } from '../../shared/money/order';
import { PageHeader } from '../../shared/page/page-header';
import { PaymentState } from './payment-state';
import { RedeemSection } from './redeem-section';
import { TopUpSection } from './top-up-section';
import { WalletFigures } from './wallet-figures';

/** Below everything else, and the larger half of the code. */
const WalletLists = lazyPart(async () => (await import('./wallet-lists')).WalletLists);
const OwnLimits = lazyPart(
  async () => (await Promise.all([import('./own-limits'), loadTexts('limits')]))[0].OwnLimits,
);
const LISTS_HEIGHT = 420;

/** Balance, codes, online payment, and what moved the balance. Payment pages lead back here. */
export function WalletPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const tradeNo = search.get('out_trade_no');
  // Payment services hang their whole notice onto the address; only the list that is shown stays.
  const forget = () =>
    setSearch(search.get('list') === 'orders' ? { list: 'orders' } : {}, { replace: true });
  return (
    <>
      <PageHeader title={t('wallet.title')} explanation={t('wallet.lead')} />
      <Box sx={{ display: 'grid', gap: 2.5, '& > *': { minWidth: 0 } }}>
        {isTradeNumber(tradeNo) && (
          <PaymentState
            key={tradeNo}
            tradeNo={tradeNo}
            cancelled={search.get('cancelled') === 'true'}
            onClose={forget}
          />
        )}
        <WalletFigures />
        <Box
          sx={{
            display: 'grid',
            gap: 2.5,
            alignItems: 'start',
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(0, 2fr)' },
          }}
        >
          <TopUpSection />
          <RedeemSection />
        </Box>
        <Suspense>
          <OwnLimits />
        </Suspense>
        <Suspense fallback={<Skeleton variant="rounded" height={LISTS_HEIGHT} />}>
          <WalletLists />
        </Suspense>
      </Box>
    </>
  );
}
