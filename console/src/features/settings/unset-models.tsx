import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { DataTable } from '../../shared/table/data-table';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SelectionBar } from '../../shared/table/selection-bar';
import { enabledModelsQuery } from './api';
import type { EditedPrice } from './price-dialog';
import type { PriceDraft } from './price-draft';
import { entriesFor, priceChanges, pricesOf } from './prices';
import { useModelList } from './use-model-list';

const PriceDialog = lazyDialog(
  async () => (await import('./price-dialog')).PriceDialog,
  ({ edited }) => edited !== undefined,
);

/** Models of enabled channels without a price, one by one or many at once. */
export function UnsetModels({ draft }: { draft: PriceDraft }) {
  const { t } = useTranslation();
  const { texts, apply } = draft;
  const enabled = useQuery(enabledModelsQuery);
  const [edited, setEdited] = useState<EditedPrice>();
  const priced = useMemo(() => new Set(pricesOf(texts).map((price) => price.model)), [texts]);
  const unset = enabled.data?.filter((model) => !priced.has(model)) ?? [];
  const list = useModelList({ rows: unset, modelOf: (model) => model });
  const edit = (model: string) => setEdited({ price: { model, mode: 'token' }, isNew: true });
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ px: 2.5, pt: 1.5 }}>
        {t('prices.unsetHelp')}
      </Typography>
      <ListToolbar search={list.search} />
      <SelectionBar count={list.chosen.length} onClear={list.clear}>
        <Button size="small" onClick={() => setEdited({ models: list.chosen })}>
          {t('prices.batch.action')}
        </Button>
      </SelectionBar>
      <DataTable
        name="unset-models"
        label={t('prices.unset')}
        columns={[list.column]}
        {...list.table}
        query={{ ...enabled, data: enabled.data === undefined ? undefined : list.table.query.data }}
        onOpen={edit}
        actions={(model) => (
          <Button size="small" onClick={() => edit(model)}>
            {t('prices.set')}
          </Button>
        )}
        empty={<Empty title={unset.length === 0 ? t('prices.unsetNone') : t('common.table.nothingFound')} />}
        failedTitle={t('prices.unsetFailed')}
      />
      <PriceDialog
        edited={edited}
        taken={priced}
        onApply={(models, price, isBatch) => {
          apply(priceChanges(texts, entriesFor(texts, models, price, isBatch)));
          list.clear();
        }}
        onClose={() => setEdited(undefined)}
      />
    </>
  );
}
