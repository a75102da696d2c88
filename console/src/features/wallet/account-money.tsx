import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { Empty } from '../../shared/feedback/empty';
import { useListState } from '../../shared/table/use-list-state';
import { accountOrdersQuery } from './api';
import { Movements } from './movements';
import { ORDER_FILTERS, OrderList } from './order-list';

const LISTS = ['ledger', 'orders'] as const;
type ListName = (typeof LISTS)[number];

/** The balance of another account with every movement that made it, and its payment orders: a tab of its page. */
export function AccountMoney() {
  const { t } = useTranslation();
  const userId = Number(useParams()['id']);
  const [search, setSearch] = useSearchParams();
  const shown: ListName = search.get('list') === 'orders' ? 'orders' : 'ledger';
  return (
    <Paper variant="outlined" sx={{ overflow: 'hidden', minWidth: 0 }}>
      <Tabs
        value={shown}
        onChange={(_event, next: ListName) => setSearch(next === 'ledger' ? {} : { list: next })}
        aria-label={t('wallet.lists')}
        sx={{ px: 2.5, borderBottom: 1, borderColor: 'divider' }}
      >
        {LISTS.map((list) => (
          <Tab
            key={list}
            value={list}
            id={`money-${list}`}
            aria-controls="money-panel"
            label={t(`wallet.list.${list}`)}
          />
        ))}
      </Tabs>
      <Box id="money-panel" role="tabpanel" aria-labelledby={`money-${shown}`}>
        {shown === 'orders' ? <AccountOrders userId={userId} /> : <Movements userId={userId} />}
      </Box>
    </Paper>
  );
}

function AccountOrders({ userId }: { userId: number }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const list = useListState(ORDER_FILTERS);
  const { status } = list.filters;
  const query = useQuery(accountOrdersQuery({ userId, status, page: list.page, pageSize: list.pageSize }));
  return (
    <OrderList
      name="account-orders"
      list={list}
      query={query}
      onOpen={(order) => void navigate(`/order?open=${encodeURIComponent(order.trade_no)}`)}
      empty={<Empty title={t('wallet.orders.empty')} />}
    />
  );
}
