import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseJson } from '../../shared/format/json';
import { MONO } from '../../shared/format/mono';
import { Empty } from '../../shared/feedback/empty';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { FilterSelect } from '../../shared/table/filter-select';
import { AddName } from './add-name';
import { FigureInput } from './figure-input';
import type { PriceDraft } from './price-draft';
import { useLocalPage } from './use-local-page';

const KEY = 'GroupModelRatio';

interface Factor {
  readonly group: string;
  /** Name of a model, or a pattern of names. */
  readonly model: string;
  readonly ratio: number;
}

interface PriceGroupModelsProps {
  draft: PriceDraft;
  groups: readonly string[];
}

/** Factors that accounts of a group pay for single models, in place of the factor of any group. */
export function PriceGroupModels({ draft, groups }: PriceGroupModelsProps) {
  const { t } = useTranslation();
  const { texts, apply } = draft;
  const factors = useMemo(() => factorsOf(texts[KEY]), [texts]);
  const { page } = useLocalPage(factors);
  const write = (next: readonly Factor[]) => apply([{ key: KEY, value: documentOf(next) }]);
  const without = (gone: Factor) => factors.filter((factor) => idOf(factor) !== idOf(gone));
  const columns: Column<Factor>[] = [
    {
      id: 'group',
      label: t('prices.groupModels.group'),
      choosable: false,
      card: 'title',
      render: ({ group }) => <span style={{ fontFamily: MONO, fontSize: 12.5 }}>{group}</span>,
    },
    {
      id: 'model',
      label: t('prices.groupModels.model'),
      card: 'line',
      render: ({ model }) => (
        <span style={{ fontFamily: MONO, fontSize: 12.5, overflowWrap: 'anywhere' }}>{model}</span>
      ),
    },
    {
      id: 'ratio',
      label: t('prices.groupModels.ratio'),
      card: 'line',
      render: (factor) => (
        <FigureInput
          value={factor.ratio}
          label={t('prices.groupModels.ratioOf', { group: factor.group, model: factor.model })}
          onChange={(ratio) =>
            write(factors.map((each) => (idOf(each) === idOf(factor) ? { ...each, ratio } : each)))
          }
        />
      ),
    },
  ];
  return (
    <Box component="section" aria-label={t('prices.groupModels.title')} sx={{ mt: 2 }}>
      <Typography variant="subtitle2" component="h3" sx={{ px: 2.5 }}>
        {t('prices.groupModels.title')}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ px: 2.5, pt: 0.5 }}>
        {t('prices.groupModels.help')}
      </Typography>
      <AddFactor
        groups={groups}
        taken={new Set(factors.map(idOf))}
        onAdd={(factor) => write([...factors, factor])}
      />
      <DataTable
        name="price-group-models"
        label={t('prices.groupModels.title')}
        columns={columns}
        {...page}
        rowId={idOf}
        rowName={({ group, model }) => `${group} ${model}`}
        actions={(factor) => (
          <IconButton
            size="small"
            aria-label={t('prices.groupModels.remove', {
              group: factor.group,
              model: factor.model,
            })}
            onClick={() => write(without(factor))}
          >
            <DeleteOutlineRounded sx={{ fontSize: 18 }} />
          </IconButton>
        )}
        empty={<Empty title={t('prices.groupModels.none')} />}
        failedTitle={t('settings.loadFailed')}
      />
    </Box>
  );
}

interface AddFactorProps {
  groups: readonly string[];
  taken: ReadonlySet<string>;
  onAdd: (factor: Factor) => void;
}

function AddFactor({ groups, taken, onAdd }: AddFactorProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState('');
  const group = groups.includes(chosen) ? chosen : (groups[0] ?? '');
  return (
    <AddName
      label={t('prices.groupModels.model')}
      action={t('prices.groupModels.add')}
      placeholder="gpt-4*"
      isTaken={(model) => taken.has(idOf({ group, model }))}
      onAdd={(model) => onAdd({ group, model, ratio: 1 })}
    >
      <FilterSelect
        value={group}
        label={t('prices.groupModels.group')}
        onChange={setChosen}
        values={groups}
      />
    </AddName>
  );
}

const idOf = ({ group, model }: Pick<Factor, 'group' | 'model'>): string => `${group}\n${model}`;

function factorsOf(text: string | undefined): Factor[] {
  return members(parseJson(text ?? '')).flatMap(([group, models]) =>
    members(models).flatMap(([model, ratio]) => (typeof ratio === 'number' ? [{ group, model, ratio }] : [])),
  );
}

function members(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** A group without a factor is left out. */
function documentOf(factors: readonly Factor[]): string {
  const groups = Map.groupBy(factors, ({ group }) => group);
  return JSON.stringify(
    Object.fromEntries(
      [...groups].map(([group, own]) => [
        group,
        Object.fromEntries(own.map(({ model, ratio }) => [model, ratio])),
      ]),
    ),
  );
}
