import SellOutlined from '@mui/icons-material/SellOutlined';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { PageHeader } from '../../shared/page/page-header';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { useCurrentUser } from '../../api/current-user';
import { CopySelected } from '../../shared/table/copy-selected';
import { DataTable } from '../../shared/table/data-table';
import { SelectionBar } from '../../shared/table/selection-bar';
import type { RowId } from '../../shared/table/table-props';
import { useListState } from '../../shared/table/use-list-state';
import { priceListQuery, type PriceList } from './api';
import { groupsOf, matching, shownGroup, vendorsOf } from './prices';
import { PricingBanner } from './pricing-banner';
import { usePricingColumns } from './pricing-columns';
import { HIDING, PRICE_VIEW, PricingToolbar } from './pricing-toolbar';

const PriceDrawer = lazyDialog(
  async () => (await import('./price-drawer')).PriceDrawer,
  ({ entry }) => entry !== null,
);

const NOTHING: ReadonlySet<never> = new Set();
const NO_LIST: PriceList = { entries: [], groupRatio: {}, usableGroup: {} };

/** Prices of models, public: one table, whose pages and filters are computed in the browser. */
export function PricingPage() {
  const { t } = useTranslation();
  const user = useCurrentUser();
  const list = useListState(PRICE_VIEW, HIDING);
  const { filters } = list;
  const query = useQuery(priceListQuery(user?.id ?? -1));
  const prices = query.data ?? NO_LIST;
  const [selected, setSelected] = useState<ReadonlySet<RowId>>(NOTHING);
  const [opened, open, close] = useOpenParameter('model');

  const groups = useMemo(() => groupsOf(prices), [prices]);
  const ownGroup = shownGroup(groups, '', user?.group);
  const group = shownGroup(groups, filters.group, user?.group);
  const groupRatio = prices.groupRatio[group] ?? 1;
  const columns = usePricingColumns({
    group,
    groupRatio,
    withRatios: filters.ratios !== '',
    onGroup: (name) => list.setFilters({ group: name }),
  });
  const found = useMemo(() => matching(prices.entries, filters), [prices, filters]);
  const first = (list.page - 1) * list.pageSize;
  const shown = found.slice(first, first + list.pageSize);
  const chosen = prices.entries.filter(({ model_name: name }) => selected.has(name));

  return (
    <>
      <PageHeader title={t('pricing.title')} explanation={t('pricing.lead')} />
      {query.data !== undefined && group !== '' && (
        <PricingBanner isGuest={user === null} group={group} ownGroup={ownGroup} ratio={groupRatio} />
      )}
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <PricingToolbar
          list={list}
          columns={columns}
          vendors={vendorsOf(prices.entries)}
          groups={groups}
          groupText={(name) => groupLabel(name, prices)}
          group={group}
          onRefresh={() => void query.refetch()}
        />
        <SelectionBar count={chosen.length} onClear={() => setSelected(NOTHING)}>
          <CopySelected
            label={t('pricing.copySelected')}
            texts={chosen.map(({ model_name: name }) => name)}
            separator=","
            done={t('pricing.copied', { count: chosen.length })}
          />
        </SelectionBar>
        <DataTable
          name="pricing"
          label={t('pricing.title')}
          columns={columns}
          query={{
            ...query,
            data: query.data === undefined ? undefined : { items: shown, total: found.length },
            refetch: () => query.refetch(),
          }}
          rowId={(entry) => entry.model_name}
          rowName={(entry) => entry.model_name}
          actions={(entry) => (
            <Button
              size="small"
              onClick={() => open(entry.model_name)}
              aria-label={t('pricing.detailsOf', { model: entry.model_name })}
            >
              {t('pricing.details')}
            </Button>
          )}
          actionsBeside
          selection={{ selected, onChange: setSelected }}
          isMuted={(entry) => !entry.enable_groups.includes(group)}
          paging={list}
          empty={
            <Empty
              icon={<SellOutlined />}
              title={t('pricing.empty.title')}
              explanation={t('pricing.empty.text')}
            />
          }
          failedTitle={t('pricing.loadFailed')}
        />
      </Paper>
      <PriceDrawer
        entry={prices.entries.find(({ model_name: name }) => name === opened) ?? null}
        list={prices}
        onClose={close}
      />
    </>
  );
}

function groupLabel(name: string, { usableGroup, groupRatio }: PriceList): string {
  const description = usableGroup[name] ?? '';
  const named = description === '' || description === name ? name : `${name} · ${description}`;
  return `${named} ×${groupRatio[name] ?? 1}`;
}
