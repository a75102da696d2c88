import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { Empty } from '../../shared/feedback/empty';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { enabledModelsQuery, type OptionTexts } from './api';
import { PriceDialog } from './price-dialog';
import { pricesOf, type ModelPrice } from './prices';

const FIRST_PAGE_SIZE = 10;

/** Models of enabled channels that nobody has priced yet. */
export function UnsetModels({ texts }: { texts: OptionTexts }) {
  const { t } = useTranslation();
  const enabled = useQuery(enabledModelsQuery);
  const [edited, setEdited] = useState<{ price: ModelPrice; isNew: boolean }>();
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = useState(FIRST_PAGE_SIZE);
  const priced = useMemo(() => new Set(pricesOf(texts).map((price) => price.model)), [texts]);
  const unset = enabled.data?.filter((model) => !priced.has(model));
  const columns: Column<string>[] = [
    {
      id: 'model',
      label: t('settings.prices.column.model'),
      choosable: false,
      card: 'title',
      render: (model) => <span style={{ fontFamily: MONO, fontSize: 12.5 }}>{model}</span>,
    },
  ];
  const edit = (model: string) => setEdited({ price: { model, mode: 'token' }, isNew: true });
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ px: 2.5, py: 1.5 }}>
        {t('settings.prices.unsetHelp')}
      </Typography>
      <DataTable
        name="unset-models"
        label={t('settings.prices.unset')}
        columns={columns}
        query={{
          ...enabled,
          data:
            unset === undefined
              ? undefined
              : { items: unset.slice((page - 1) * pageSize, page * pageSize), total: unset.length },
        }}
        rowId={(model) => model}
        rowName={(model) => model}
        onOpen={edit}
        actions={(model) => (
          <Button size="small" onClick={() => edit(model)}>
            {t('settings.prices.set')}
          </Button>
        )}
        paging={{
          page,
          pageSize,
          setPage,
          setPageSize: (size) => {
            setPageSize(size);
            setPage(1);
          },
        }}
        empty={<Empty title={t('settings.prices.unsetNone')} />}
        failedTitle={t('settings.prices.unsetFailed')}
      />
      <PriceDialog texts={texts} edited={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}
