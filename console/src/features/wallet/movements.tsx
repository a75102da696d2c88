import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { dollarsOfQuota, exactMoney } from '../../shared/format/money';
import { exactQuota } from '../../shared/format/quota';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { useListState } from '../../shared/table/use-list-state';
import { Clipped } from '../../shared/value/clipped';
import { Moment } from '../../shared/value/moment';
import { RatioSwitch, useShowsRatios } from '../../shared/money/ratios';
import { useQuotaSettings } from '../../shared/session/status';
import { Quota } from '../../shared/value/quota';
import { ledgerQuery, type LedgerPage, type Movement } from './api';
import { isMovementKind, MOVEMENT_KINDS, readReason } from './movement.labels';

const FILTERS = { kind: '' } as const;
/** Decimals of the columns of money. */
const DIGITS = 2;

/**
 * Everything but calls that moved the balance, and the sum that explains it.
 * @param userId  of another account, for administrators; 0 = the own
 */
export function Movements({ userId = 0 }: { userId?: number }) {
  const { t } = useTranslation();
  const list = useListState(FILTERS);
  const { kind } = list.filters;
  const query = useQuery(ledgerQuery({ kind, userId, page: list.page, pageSize: list.pageSize }));
  const columns = useMovementColumns();
  const kinds = MOVEMENT_KINDS.filter((each) => query.data?.sums[each] !== undefined || each === kind);
  return (
    <>
      {query.data !== undefined && <Proof ledger={query.data} />}
      <ListToolbar
        filters={
          <FilterSelect
            value={kind}
            label={t('wallet.ledger.kind')}
            onChange={(next) => list.setFilters({ kind: next })}
            all={t('wallet.ledger.all')}
            values={kinds}
            text={(each) => t(`wallet.kind.${each}`)}
          />
        }
        chips={list.active.map((filter) => ({
          id: filter,
          label: isMovementKind(kind) ? t(`wallet.kind.${kind}`) : kind,
          onClear: list.clearFilters,
        }))}
        onRefresh={() => void query.refetch()}
      />
      <DataTable
        name="movements"
        label={t('wallet.list.ledger')}
        columns={columns}
        query={query}
        rowId={(movement) => movement.id}
        rowName={(movement) => String(movement.id)}
        paging={list}
        empty={<Empty title={t('wallet.ledger.empty')} explanation={t('wallet.ledger.emptyHelp')} />}
        failedTitle={t('wallet.ledger.loadFailed')}
      />
    </>
  );
}

/** Income less the charges of calls is the balance: shown to the unit, since rounded parts need not add up to a rounded whole. */
function Proof({ ledger }: { ledger: LedgerPage }) {
  const { t } = useTranslation();
  // A refund takes back a charge: it is neither income nor use.
  const refunded = ledger.sums['refund'] ?? 0;
  const ratios = useShowsRatios();
  const settings = useQuotaSettings();
  const text = (quota: number) =>
    ratios || !settings.inCurrency ? exactQuota(quota) : exactMoney(dollarsOfQuota(quota, settings));
  const received = Object.values(ledger.sums).reduce((sum, part) => sum + part, 0) - refunded;
  return (
    <Box sx={{ px: 2.5, pt: 2 }}>
      <Typography
        variant="body2"
        component="div"
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}
      >
        <span>
          {t('wallet.ledger.received')} {text(received)}
        </span>
        <span>
          − {t('wallet.ledger.used')} {text(ledger.used_quota - refunded)}
        </span>
        <strong>
          = {t('wallet.ledger.balance')}{' '}
          {ratios || !settings.inCurrency
            ? t('common.quotaExact', { quota: exactQuota(ledger.balance) })
            : text(ledger.balance)}
        </strong>
        <Box component="span" sx={{ ml: 'auto' }}>
          <RatioSwitch />
        </Box>
      </Typography>
    </Box>
  );
}

function useMovementColumns(): Column<Movement>[] {
  const { t } = useTranslation();
  const reasonText = (movement: Movement): string => {
    const { word, value, said } = readReason(movement);
    const what = word === undefined ? '' : t(`wallet.reason.${word}`, { value });
    return [what, said].filter((part) => part !== '').join(' · ');
  };
  return [
    {
      id: 'kind',
      label: t('wallet.ledger.kind'),
      card: 'title',
      render: ({ kind }) => (isMovementKind(kind) ? t(`wallet.kind.${kind}`) : kind),
    },
    {
      id: 'amount',
      label: t('wallet.ledger.amount'),
      align: 'right',
      card: 'aside',
      render: ({ amount }) => (
        <Box component="span" sx={{ color: amount > 0 ? 'success.main' : undefined, fontWeight: 550 }}>
          <Quota value={amount} signed digits={DIGITS} />
        </Box>
      ),
    },
    {
      id: 'after',
      label: t('wallet.ledger.after'),
      align: 'right',
      card: 'line',
      render: (movement) => <Quota value={movement.quota_after} digits={DIGITS} />,
    },
    {
      id: 'time',
      label: t('wallet.ledger.time'),
      card: 'line',
      render: (movement) => <Moment seconds={movement.created_at} />,
    },
    {
      id: 'reason',
      label: t('wallet.ledger.reason'),
      fills: true,
      card: 'line',
      render: (movement) => <Clipped text={reasonText(movement)} maxWidth="100%" />,
    },
  ];
}
