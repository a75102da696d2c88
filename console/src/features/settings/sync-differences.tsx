import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiTextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { StatusTag, type Tone } from '../../shared/feedback/status-tag';
import { MONO } from '../../shared/format/mono';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { SelectionBar } from '../../shared/table/selection-bar';
import type { RowId } from '../../shared/table/table-props';
import type { OptionTexts } from './api';
import type { PriceDifference, PriceSync, SyncPick } from './price.api';
import { differences } from './price-difference';
import { priceDocument } from './price-documents';
import { PriceReview, type PriceProposal } from './price-review';
import { changesOfPicks } from './sync-picks';
import { useLocalPage } from './use-local-page';

const STATES = ['added', 'changed', 'same', 'unsupported'] as const;
const TONES: Readonly<Record<(typeof STATES)[number], Tone>> = {
  added: 'ok',
  changed: 'warning',
  same: 'neutral',
  unsupported: 'notice',
};
const NOTHING: ReadonlySet<RowId> = new Set();

interface SyncDifferencesProps {
  stored: OptionTexts;
  sync: PriceSync;
  providers: readonly string[];
  isComparing: boolean;
  onProviders: (providers: string[]) => void;
}

/** What a list would change, to be picked from. */
export function SyncDifferences({ stored, sync, providers, isComparing, onProviders }: SyncDifferencesProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<string>('changed');
  const [wanted, setWanted] = useState('');
  const [selected, setSelected] = useState(NOTHING);
  const [proposal, setProposal] = useState<PriceProposal>();
  const shownState = STATES.find((each) => each === state);
  const found = sync.items.filter(
    (item) =>
      (shownState === undefined || item.state === shownState) &&
      item.model.toLowerCase().includes(wanted.toLowerCase()),
  );
  const { page, firstPage } = useLocalPage(found);
  const canPick = (item: PriceDifference) => item.entries.length > 0;
  const picked = sync.items.filter((item) => selected.has(item.model) && canPick(item));
  const pickable = found.filter(canPick);
  const columns = useDifferenceColumns();
  const review = () => {
    const items: SyncPick[] = picked.map(({ model, entries }) => ({
      model,
      entries: entries.map(({ key, listed }) => ({ key, listed })),
    }));
    const changes = changesOfPicks(stored, items);
    setProposal({
      title: t('settings.prices.sync.review', { count: items.length }),
      differences: differences(stored, changes),
      subject: { changes },
      store: { kind: 'sync', items },
    });
  };
  return (
    <Box sx={{ minWidth: 0, borderTop: 1, borderColor: 'divider' }}>
      <Typography variant="body2" color="textSecondary" role="status" sx={{ px: 2.5, pt: 1.5 }}>
        {t('settings.prices.sync.found', { format: sync.format, ...sync.counts })}
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
        filters={
          <>
            <FilterSelect
              value={state}
              label={t('settings.prices.sync.state')}
              onChange={(next) => {
                setState(next);
                firstPage();
              }}
              options={[
                { value: '', label: t('settings.prices.sync.all') },
                ...STATES.map((each) => ({ value: each, label: t(`settings.prices.sync.${each}`) })),
              ]}
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
                    placeholder={t('settings.prices.sync.providers')}
                    slotProps={{
                      ...parameters.slotProps,
                      htmlInput: {
                        ...parameters.slotProps.htmlInput,
                        'aria-label': t('settings.prices.sync.providers'),
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
            onClick={() => setSelected(new Set(pickable.map((item) => item.model)))}
          >
            {t('settings.prices.sync.pickAll', { count: pickable.length })}
          </Button>
        }
      />
      <SelectionBar count={picked.length} onClear={() => setSelected(NOTHING)}>
        <Button size="small" variant="contained" onClick={review}>
          {t('settings.prices.draft.review')}
        </Button>
      </SelectionBar>
      <DataTable
        name="price-sync"
        label={t('settings.prices.sync.title')}
        columns={columns}
        {...page}
        rowId={(item) => item.model}
        rowName={(item) => item.model}
        isMuted={(item) => !canPick(item)}
        selection={{ selected, onChange: setSelected }}
        empty={<Empty title={t('settings.prices.sync.nothing')} />}
        failedTitle={t('settings.loadFailed')}
      />
      <PriceReview
        proposal={proposal}
        onClose={() => setProposal(undefined)}
        onStored={() => {
          setSelected(NOTHING);
          onProviders([...providers]);
        }}
      />
    </Box>
  );
}

function useDifferenceColumns(): Column<PriceDifference>[] {
  const { t } = useTranslation();
  const keyName = (key: string) => {
    const known = priceDocument(key);
    return known === undefined ? key : t(`settings.prices.${known.name}.label`);
  };
  return [
    {
      id: 'model',
      label: t('settings.prices.column.model'),
      choosable: false,
      card: 'title',
      render: (item) => (
        <span style={{ fontFamily: MONO, fontSize: 12.5, overflowWrap: 'anywhere' }}>{item.model}</span>
      ),
    },
    {
      id: 'state',
      label: t('settings.prices.sync.state'),
      card: 'aside',
      render: (item) => (
        <StatusTag tone={TONES[item.state]}>{t(`settings.prices.sync.${item.state}`)}</StatusTag>
      ),
    },
    {
      id: 'provider',
      label: t('settings.prices.sync.provider'),
      card: 'line',
      render: (item) => item.provider,
    },
    {
      id: 'entries',
      label: t('settings.prices.sync.entries'),
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
                {keyName(key)}: {valueText(current)} → <strong>{valueText(listed)}</strong>
              </span>
            ))}
          </Box>
        ),
    },
  ];
}

function valueText(value: unknown): string {
  return value === null || value === undefined ? '–' : JSON.stringify(value);
}
