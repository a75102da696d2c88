import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Movements } from './movements';
import { OwnOrders } from './own-orders';

// In the same chunk: it shows the same lists.
export { AccountMoney } from './account-money';

const LISTS = ['ledger', 'orders'] as const;
type ListName = (typeof LISTS)[number];

/** Movements of the balance, and the own payment orders; the address names the list. */
export function WalletLists() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const shown: ListName = search.get('list') === 'orders' ? 'orders' : 'ledger';
  return (
    <Paper variant="outlined" sx={{ overflow: 'hidden', minWidth: 0 }}>
      <Tabs
        value={shown}
        onChange={(_event, next: ListName) => setSearch((previous) => withList(previous, next))}
        aria-label={t('wallet.lists')}
        sx={{ px: 2.5, borderBottom: 1, borderColor: 'divider' }}
      >
        {LISTS.map((list) => (
          <Tab
            key={list}
            value={list}
            id={`wallet-tab-${list}`}
            aria-controls="wallet-panel"
            label={t(`wallet.list.${list}`)}
          />
        ))}
      </Tabs>
      <Box id="wallet-panel" role="tabpanel" aria-labelledby={`wallet-tab-${shown}`}>
        {shown === 'orders' ? <OwnOrders /> : <Movements />}
      </Box>
    </Paper>
  );
}

/** The address with another list shown: filters and pages of the one before mean nothing there. */
function withList(previous: URLSearchParams, list: ListName): URLSearchParams {
  const next = new URLSearchParams(previous);
  for (const name of ['list', 'page', 'kind', 'status']) next.delete(name);
  if (list !== 'ledger') next.set('list', list);
  return next;
}
