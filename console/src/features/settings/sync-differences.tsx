import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiTextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { StatusTag, type Tone } from '../../shared/feedback/status-tag';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SelectionBar } from '../../shared/table/selection-bar';
import { useShowsRatios } from '../../shared/money/ratios';
import { numberMap, type OptionTexts } from './api';
import { isInMoney, moneyOfEntry, ratiosBeside } from './money-entries';
import { entryLines } from './entry-text';
import type { PriceDifference, PriceSync, SyncPick } from './price.api';
import { differences } from './price-difference';
import { priceDocument } from './price-documents';
import type { PriceProposal } from './price-review';
import { changesOfPicks } from './sync-picks';
import { useModelList } from './use-model-list';

const PriceReview = lazyDialog(
  async () => (await import('./price-review')).PriceReview,
  ({ proposal }) => proposal !== undefined,
);

const STATES = ['added', 'changed', 'same', 'unsupported'] as const;
const TONES: Readonly<Record<(typeof STATES)[number], Tone>> = {
  added: 'ok',
  changed: 'warning',
  same: 'neutral',
  unsupported: 'notice',
};

interface SyncDifferencesProps {
  stored: OptionTexts;
  sync: PriceSync;
  providers: readonly string[];
  isComparing: boolean;
  onProviders: (providers: string[]) => void;
}

/** Changes that a list would make, to choose from. */
export function SyncDifferences({ stored, sync, providers, isComparing, onProviders }: SyncDifferencesProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<string>('changed');
  const [proposal, setProposal] = useState<PriceProposal>();
  const shownState = STATES.find((each) => each === state);
  const list = useModelList({
    rows: sync.items,
    modelOf: (item) => item.model,
    isWanted: (item) => shownState === undefined || item.state === shownState,
  });
  const canPick = (item: PriceDifference) => item.entries.length > 0;
  const picked = list.chosen.filter(canPick);
  const pickable = list.found.filter(canPick);
  const columns = [list.column, ...useDifferenceColumns(stored)];
  const review = () => {
    const items: SyncPick[] = picked.map(({ model, entries }) => ({
      model,
      entries: entries.map(({ key, listed }) => ({ key, listed })),
    }));
    const changes = changesOfPicks(stored, items);
    setProposal({
      title: t('prices.sync.review', { count: items.length }),
      differences: differences(stored, changes),
      beside: ratiosBeside(stored, changes),
      subject: { changes },
      store: { kind: 'sync', items },
    });
  };
  return (
    <Box sx={{ minWidth: 0, borderTop: 1, borderColor: 'divider' }}>
      <Typography variant="body2" color="textSecondary" role="status" sx={{ px: 2.5, pt: 1.5 }}>
        {t('prices.sync.found', { format: sync.format, ...sync.counts })}
      </Typography>
      <ListToolbar
        search={list.search}
        filters={
          <>
            <FilterSelect
              value={state}
              label={t('prices.sync.state')}
              onChange={(next) => {
                setState(next);
                list.firstPage();
              }}
              all={t('prices.sync.all')}
              values={STATES}
              text={(each) => t(`prices.sync.${each}`)}
            />
            {sync.providers.length > 1 && (
              <Autocomplete
                multiple
                size="small"
                limitTags={1}
                loading={isComparing}
                options={sync.providers}
                value={[...providers]}
                onChange={(_event, next) => onProviders(next)}
                sx={{ width: { xs: '100%', sm: 260 } }}
                renderInput={(parameters) => (
                  <MuiTextField
                    {...parameters}
                    placeholder={t('prices.sync.providers')}
                    slotProps={{
                      ...parameters.slotProps,
                      htmlInput: {
                        ...parameters.slotProps.htmlInput,
                        'aria-label': t('prices.sync.providers'),
                      },
                    }}
                  />
                )}
              />
            )}
          </>
        }
        tools={
          <Button
            size="small"
            disabled={pickable.length === 0}
            onClick={() => list.select(pickable.map((item) => item.model))}
          >
            {t('prices.sync.pickAll', { count: pickable.length })}
          </Button>
        }
      />
      <SelectionBar count={picked.length} onClear={list.clear}>
        <Button size="small" variant="contained" onClick={review}>
          {t('prices.draft.review')}
        </Button>
      </SelectionBar>
      <DataTable
        name="price-sync"
        label={t('prices.sync.title')}
        columns={columns}
        {...list.table}
        isMuted={(item) => !canPick(item)}
        empty={<Empty title={t('prices.sync.nothing')} />}
        failedTitle={t('settings.loadFailed')}
      />
      <PriceReview
        proposal={proposal}
        onClose={() => setProposal(undefined)}
        onStored={() => {
          list.clear();
          onProviders([...providers]);
        }}
      />
    </Box>
  );
}

function useDifferenceColumns(stored: OptionTexts): Column<PriceDifference>[] {
  const { t } = useTranslation();
  const ratios = useShowsRatios();
  const storedRatios = useMemo(() => numberMap(stored['ModelRatio']), [stored]);
  const keyName = (key: string) => {
    const known = priceDocument(key);
    if (known === undefined) return key;
    return ratios || !isInMoney(known.name)
      ? t(`prices.${known.name}.label`)
      : t(`prices.money.${known.name}`);
  };
  /** The ratio that holds beside an entry: that of the same side, else the stored one. */
  const shown = (item: PriceDifference, key: string, value: unknown, side: 'current' | 'listed'): string => {
    if (ratios || typeof value !== 'number' || !isInMoney(key)) return valueText(value, t);
    const own: unknown = item.entries.find((entry) => entry.key === 'ModelRatio')?.[side];
    const ratio = typeof own === 'number' ? own : storedRatios.get(item.model);
    return moneyOfEntry(key, value, ratio) ?? `×${value}`;
  };
  return [
    {
      id: 'state',
      label: t('prices.sync.state'),
      card: 'aside',
      render: (item) => <StatusTag tone={TONES[item.state]}>{t(`prices.sync.${item.state}`)}</StatusTag>,
    },
    {
      id: 'provider',
      label: t('prices.sync.provider'),
      card: 'line',
      render: (item) => item.provider,
    },
    {
      id: 'entries',
      label: t('prices.sync.entries'),
      card: 'line',
      render: (item) =>
        item.state === 'unsupported' ? (
          <Typography variant="body2" color="textSecondary">
            {item.reason}
          </Typography>
        ) : (
          <Box sx={{ display: 'grid', gap: 0.25 }}>
            {item.entries.map(({ key, current, listed }) => (
              <span key={key} style={{ fontSize: 12.5, overflowWrap: 'anywhere' }}>
                {keyName(key)}: {shown(item, key, current, 'current')} →{' '}
                <strong>{shown(item, key, listed, 'listed')}</strong>
              </span>
            ))}
          </Box>
        ),
    },
  ];
}

const valueText = (value: unknown, t: TFunction): string =>
  value === null || value === undefined ? '–' : entryLines(value, t).join('; ');
