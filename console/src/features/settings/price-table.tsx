import AddRounded from '@mui/icons-material/AddRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import EditOutlined from '@mui/icons-material/EditOutlined';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import { MONO } from '../../shared/format/mono';
import { Empty } from '../../shared/feedback/empty';
import { toast } from '../../shared/feedback/toast';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { useSaveOptions, type OptionTexts } from './api';
import { PriceDialog } from './price-dialog';
import { dollarsOfRatio, outputDollars, priceChanges, pricesOf, type ModelPrice } from './prices';

const NEW_PRICE: ModelPrice = { model: '', mode: 'token' };
const FIRST_PAGE_SIZE = 10;

/** Prices as a table: dollars and ratios are two views of one value. */
export function PriceTable({ texts }: { texts: OptionTexts }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const save = useSaveOptions();
  const [wanted, setWanted] = useState('');
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = useState(FIRST_PAGE_SIZE);
  const [edited, setEdited] = useState<{ price: ModelPrice; isNew: boolean }>();
  const all = useMemo(() => pricesOf(texts), [texts]);
  const found = all.filter((price) => price.model.toLowerCase().includes(wanted.toLowerCase()));
  const columns = usePriceColumns();

  const remove = async ({ model }: ModelPrice) => {
    const yes = await confirm({
      title: t('settings.prices.removeTitle', { model }),
      consequence: t('settings.prices.removeText'),
      action: t('settings.prices.removeAction'),
      danger: true,
    });
    if (!yes) return;
    const { failed } = await save.mutateAsync(priceChanges(texts, model, undefined));
    if (failed.size === 0) toast('success', t('settings.prices.removed', { model }));
    else toast('error', t('settings.failed'));
  };

  return (
    <>
      <ListToolbar
        search={
          <SearchBox
            value={wanted}
            label={t('settings.prices.search')}
            onSearch={(text) => {
              setWanted(text);
              setPage(1);
            }}
          />
        }
        tools={
          <Button
            size="small"
            variant="outlined"
            startIcon={<AddRounded />}
            onClick={() => setEdited({ price: NEW_PRICE, isNew: true })}
          >
            {t('settings.prices.add')}
          </Button>
        }
      />
      <DataTable
        name="prices"
        label={t('settings.prices.listLabel')}
        columns={columns}
        query={{
          data: { items: found.slice((page - 1) * pageSize, page * pageSize), total: found.length },
          error: null,
          isError: false,
          isFetching: false,
          refetch: () => undefined,
        }}
        rowId={(price) => price.model}
        rowName={(price) => price.model}
        onOpen={(price) => setEdited({ price, isNew: false })}
        actions={(price) => (
          <>
            <IconButton
              size="small"
              aria-label={t('settings.prices.edit', { model: price.model })}
              onClick={() => setEdited({ price, isNew: false })}
            >
              <EditOutlined sx={{ fontSize: 18 }} />
            </IconButton>
            <IconButton
              size="small"
              aria-label={t('settings.prices.remove', { model: price.model })}
              onClick={() => void remove(price)}
            >
              <DeleteOutlineRounded sx={{ fontSize: 18 }} />
            </IconButton>
          </>
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
        empty={<Empty title={wanted === '' ? t('settings.prices.none') : t('common.table.nothingFound')} />}
        failedTitle={t('settings.loadFailed')}
      />
      <PriceDialog texts={texts} edited={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}

const SHORT_DIGITS = 4;

/** Four decimals of a ratio; the exact one on hover, and in the dialog that edits it. */
function Ratio({ value }: { value: number | undefined }) {
  if (value === undefined) return null;
  const short = Number(value.toFixed(SHORT_DIGITS));
  // A tiny ratio must not look as if it were free.
  if (short === value || short === 0) return value;
  return (
    <Tooltip title={String(value)}>
      <span>{short}</span>
    </Tooltip>
  );
}

function usePriceColumns(): Column<ModelPrice>[] {
  const { t } = useTranslation();
  const dollars = (value: number | undefined) => (value === undefined ? null : `$${value}`);
  return [
    {
      id: 'model',
      label: t('settings.prices.column.model'),
      choosable: false,
      card: 'title',
      render: (price) => (
        <span style={{ fontFamily: MONO, fontSize: 12.5, overflowWrap: 'anywhere' }}>{price.model}</span>
      ),
    },
    {
      id: 'mode',
      label: t('settings.prices.column.mode'),
      card: 'line',
      render: (price) => t(`settings.prices.mode.${price.mode}`),
    },
    {
      id: 'input',
      label: t('settings.prices.column.input'),
      align: 'right',
      card: 'line',
      render: (price) => (price.ratio === undefined ? null : dollars(dollarsOfRatio(price.ratio))),
    },
    {
      id: 'output',
      label: t('settings.prices.column.output'),
      align: 'right',
      card: 'line',
      render: (price) =>
        price.ratio === undefined ? null : dollars(outputDollars(price.ratio, price.completion ?? 1)),
    },
    {
      id: 'ratio',
      label: t('settings.prices.column.ratio'),
      align: 'right',
      render: (price) => <Ratio value={price.ratio} />,
    },
    {
      id: 'completion',
      label: t('settings.prices.column.completion'),
      align: 'right',
      render: (price) => (price.mode === 'token' ? <Ratio value={price.completion ?? 1} /> : null),
    },
    {
      id: 'call',
      label: t('settings.prices.column.call'),
      align: 'right',
      render: (price) => dollars(price.call),
    },
  ];
}
