import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { Empty } from '../../shared/feedback/empty';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { SelectionBar } from '../../shared/table/selection-bar';
import type { RowId } from '../../shared/table/table-props';
import { enabledModelsQuery } from './api';
import { PriceDialog, type EditedPrice } from './price-dialog';
import type { PriceDraft } from './price-draft';
import { entriesFor, priceChanges, pricesOf } from './prices';
import { useLocalPage } from './use-local-page';

const NOTHING: ReadonlySet<RowId> = new Set();

/** Models of enabled channels that nobody has priced yet, one by one or many at once. */
export function UnsetModels({ draft }: { draft: PriceDraft }) {
  const { t } = useTranslation();
  const { texts, apply } = draft;
  const enabled = useQuery(enabledModelsQuery);
  const [wanted, setWanted] = useState('');
  const [edited, setEdited] = useState<EditedPrice>();
  const [selected, setSelected] = useState(NOTHING);
  const priced = useMemo(() => new Set(pricesOf(texts).map((price) => price.model)), [texts]);
  const unset = enabled.data?.filter((model) => !priced.has(model)) ?? [];
  const found = unset.filter((model) => model.toLowerCase().includes(wanted.toLowerCase()));
  const { page, firstPage } = useLocalPage(found);
  const chosen = unset.filter((model) => selected.has(model));
  const columns: Column<string>[] = [
    {
      id: 'model',
      label: t('settings.prices.column.model'),
      choosable: false,
      card: 'title',
      render: (model) => (
        <span style={{ fontFamily: MONO, fontSize: 12.5, overflowWrap: 'anywhere' }}>{model}</span>
      ),
    },
  ];
  const edit = (model: string) => setEdited({ price: { model, mode: 'token' }, isNew: true });
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ px: 2.5, pt: 1.5 }}>
        {t('settings.prices.unsetHelp')}
      </Typography>
      <ListToolbar
        search={
          <SearchBox
            value={wanted}
            label={t('settings.prices.search')}
            onSearch={(text) => {
              setWanted(text);
              firstPage();
            }}
          />
        }
      />
      <SelectionBar count={chosen.length} onClear={() => setSelected(NOTHING)}>
        <Button size="small" onClick={() => setEdited({ models: chosen })}>
          {t('settings.prices.batch.action')}
        </Button>
      </SelectionBar>
      <DataTable
        name="unset-models"
        label={t('settings.prices.unset')}
        columns={columns}
        query={{ ...enabled, data: enabled.data === undefined ? undefined : page.query.data }}
        paging={page.paging}
        rowId={(model) => model}
        rowName={(model) => model}
        selection={{ selected, onChange: setSelected }}
        onOpen={edit}
        actions={(model) => (
          <Button size="small" onClick={() => edit(model)}>
            {t('settings.prices.set')}
          </Button>
        )}
        empty={
          <Empty
            title={unset.length === 0 ? t('settings.prices.unsetNone') : t('common.table.nothingFound')}
          />
        }
        failedTitle={t('settings.prices.unsetFailed')}
      />
      <PriceDialog
        edited={edited}
        taken={priced}
        onApply={(models, price, isBatch) => {
          apply(priceChanges(texts, entriesFor(texts, models, price, isBatch)));
          setSelected(NOTHING);
        }}
        onClose={() => setEdited(undefined)}
      />
    </>
  );
}
