import AddRounded from '@mui/icons-material/AddRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import EditOutlined from '@mui/icons-material/EditOutlined';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../shared/feedback/tip';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { ColumnChooser } from '../../shared/table/column-chooser';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SelectionBar } from '../../shared/table/selection-bar';
import { useShowsRatios } from '../../shared/money/ratios';
import { digitsFor, exactMoney, fixedMoney } from '../../shared/format/money';
import { useQuery } from '@tanstack/react-query';
import { enabledModelsQuery } from './api';
import { isInMoney, moneyOfEntry } from './money-entries';
import { FACTOR_KEYS } from './price-documents';
import type { EditedPrice } from './price-dialog';
import type { PriceDraft } from './price-draft';
import { dollarsOfRatio, entriesFor, outputDollars, priceChanges, pricesOf, type ModelPrice } from './prices';
import { useModelList } from './use-model-list';

const PriceDialog = lazyDialog(
  async () => (await import('./price-dialog')).PriceDialog,
  ({ edited }) => edited !== undefined,
);

const NEW_PRICE: ModelPrice = { model: '', mode: 'token' };

/** Prices as a table: dollars and ratios are two views of one value. What is edited goes into the draft. */
export function PriceTable({ draft }: { draft: PriceDraft }) {
  const { t } = useTranslation();
  const { texts, apply } = draft;
  const [mode, setMode] = useState('');
  const [which, setWhich] = useState('');
  const [edited, setEdited] = useState<EditedPrice>();
  const enabled = useQuery(enabledModelsQuery);
  const served = useMemo(() => new Set(enabled.data), [enabled.data]);
  const all = useMemo(() => servedFirst(pricesOf(texts), served), [texts, served]);
  const taken = useMemo(() => new Set(all.map((price) => price.model)), [all]);
  const list = useModelList({
    rows: all,
    modelOf: (price) => price.model,
    isWanted: (price) => (mode === '' || price.mode === mode) && (which === '' || served.has(price.model)),
    isPending: enabled.isPending,
  });
  const columns = [list.column, ...usePriceColumns(all)];
  const chosen = list.chosen.map((price) => price.model);
  const remove = (models: readonly string[]) => {
    apply(
      priceChanges(
        texts,
        models.map((model) => [model, undefined]),
      ),
    );
    list.clear();
  };

  return (
    <>
      <ListToolbar
        search={list.search}
        filters={
          <>
            <FilterSelect
              value={which}
              label={t('prices.which')}
              onChange={(next) => {
                setWhich(next);
                list.firstPage();
              }}
              all={t('prices.anyModel')}
              values={['served']}
              text={() => t('prices.served')}
            />
            <FilterSelect
              value={mode}
              label={t('prices.column.mode')}
              onChange={(next) => {
                setMode(next);
                list.firstPage();
              }}
              all={t('prices.anyMode')}
              values={['token', 'call']}
              text={(each) => t(`prices.mode.${each}`)}
            />
          </>
        }
        tools={
          <>
            <ColumnChooser table="prices" columns={columns} />
            <Button
              size="small"
              variant="outlined"
              startIcon={<AddRounded />}
              onClick={() => setEdited({ price: NEW_PRICE, isNew: true })}
              sx={{ whiteSpace: 'nowrap' }}
            >
              {t('prices.add')}
            </Button>
          </>
        }
      />
      <SelectionBar count={chosen.length} onClear={list.clear}>
        <Button size="small" onClick={() => setEdited({ models: chosen })}>
          {t('prices.batch.action')}
        </Button>
        <Button size="small" color="error" onClick={() => remove(chosen)}>
          {t('prices.removeAction')}
        </Button>
      </SelectionBar>
      <DataTable
        name="prices"
        label={t('prices.listLabel')}
        columns={columns}
        {...list.table}
        onOpen={(price) => setEdited({ price, isNew: false })}
        actions={(price) => (
          <>
            <IconButton
              size="small"
              aria-label={t('prices.edit', { model: price.model })}
              onClick={() => setEdited({ price, isNew: false })}
            >
              <EditOutlined sx={{ fontSize: 18 }} />
            </IconButton>
            <IconButton
              size="small"
              aria-label={t('prices.remove', { model: price.model })}
              onClick={() => remove([price.model])}
            >
              <DeleteOutlineRounded sx={{ fontSize: 18 }} />
            </IconButton>
          </>
        )}
        empty={<Empty title={all.length === 0 ? t('prices.none') : t('common.table.nothingFound')} />}
        failedTitle={t('settings.loadFailed')}
      />
      <PriceDialog
        edited={edited}
        taken={taken}
        onApply={(models, price, isBatch) => {
          apply(priceChanges(texts, entriesFor(texts, models, price, isBatch)));
          list.clear();
        }}
        onClose={() => setEdited(undefined)}
      />
    </>
  );
}

const inputOf = ({ ratio }: ModelPrice) => (ratio === undefined ? undefined : dollarsOfRatio(ratio));
const outputOf = ({ ratio, completion }: ModelPrice) =>
  ratio === undefined || completion === undefined ? undefined : outputDollars(ratio, completion);

/** Models that channels serve before all others. */
const servedFirst = (prices: readonly ModelPrice[], served: ReadonlySet<string>): readonly ModelPrice[] =>
  prices.toSorted((left, right) => Number(served.has(right.model)) - Number(served.has(left.model)));

const SHORT_DIGITS = 4;

/** Four decimals of a ratio; the exact one on hover, and in the dialog that edits it. */
function Ratio({ value }: { value: number | undefined }) {
  if (value === undefined) return null;
  const short = Number(value.toFixed(SHORT_DIGITS));
  // A tiny ratio must not look as if it were free.
  if (short === value || short === 0) return value;
  return (
    <Tip title={String(value)}>
      <span>{short}</span>
    </Tip>
  );
}

/** No output price is set: the gateway goes by the model's name. */
function ByName() {
  const { t } = useTranslation();
  return (
    <Tip title={t('prices.byNameHelp')}>
      <Typography component="span" variant="body2" color="textSecondary">
        {t('prices.byName')}
      </Typography>
    </Tip>
  );
}

/** Decimals of a column of prices; the exact price stands on hover. */
const PRICE_DIGITS = { least: 2, most: 4 };

/** A price with the decimals of its column. */
function Price({ value, digits }: { value: number | undefined; digits: number }) {
  if (value === undefined) return null;
  const shown = fixedMoney(value, digits);
  const exact = exactMoney(value);
  return (
    <Tip title={shown === exact ? '' : exact}>
      <span>{shown}</span>
    </Tip>
  );
}

function usePriceColumns(all: readonly ModelPrice[]): Column<ModelPrice>[] {
  const { t } = useTranslation();
  const ratios = useShowsRatios();
  const digits = useMemo(() => {
    const of = (values: readonly (number | undefined)[]) =>
      digitsFor(
        values.filter((value) => value !== undefined),
        PRICE_DIGITS.least,
        PRICE_DIGITS.most,
      );
    return {
      input: of(all.map(inputOf)),
      output: of(all.map(outputOf)),
      call: of(all.map(({ call }) => call)),
    };
  }, [all]);
  const ratioColumns: Column<ModelPrice>[] = [
    {
      id: 'ratio',
      label: t('prices.column.ratio'),
      align: 'right',
      render: (price) => <Ratio value={price.ratio} />,
    },
    {
      id: 'completion',
      label: t('prices.column.completion'),
      align: 'right',
      render: (price) =>
        price.mode !== 'token' ? null : price.completion === undefined ? (
          <ByName />
        ) : (
          <Ratio value={price.completion} />
        ),
    },
  ];
  return [
    {
      id: 'mode',
      label: t('prices.column.mode'),
      card: 'line',
      render: (price) => t(`prices.mode.${price.mode}`),
    },
    {
      id: 'input',
      label: t('prices.column.input'),
      align: 'right',
      card: 'line',
      render: (price) => <Price value={inputOf(price)} digits={digits.input} />,
    },
    {
      id: 'output',
      label: t('prices.column.output'),
      align: 'right',
      card: 'line',
      render: (price) =>
        price.ratio === undefined ? null : price.completion === undefined ? (
          <ByName />
        ) : (
          <Price value={outputOf(price)} digits={digits.output} />
        ),
    },
    ...(ratios ? ratioColumns : []),
    {
      id: 'call',
      label: t('prices.column.call'),
      align: 'right',
      card: 'line',
      render: (price) => <Price value={price.call} digits={digits.call} />,
    },
    ...FACTOR_KEYS.map((key): Column<ModelPrice> => ({
      id: key,
      label: ratios || !isInMoney(key) ? t(`prices.${key}.label`) : t(`prices.money.${key}`),
      align: 'right',
      hiddenAtFirst: true,
      render: (price) => {
        const factor = price.factors?.[key];
        if (factor === undefined) return null;
        return (ratios ? undefined : moneyOfEntry(key, factor, price.ratio)) ?? <Ratio value={factor} />;
      },
    })),
  ];
}
