import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import SpeedOutlined from '@mui/icons-material/SpeedOutlined';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadTexts } from '../../i18n';
import { MONO } from '../../shared/format/mono';
import { parseJson } from '../../shared/format/json';
import { Empty } from '../../shared/feedback/empty';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { LIMITS } from '../../shared/form/limits';
import { numberMap, type OptionTexts } from './api';
import { AddName } from './add-name';
import { FigureInput } from './figure-input';
import type { PriceDraft } from './price-draft';
import { PriceGroupModels } from './price-group-models';
import { useLocalPage } from './use-local-page';

const GroupLimits = lazyDialog(
  async () => (await Promise.all([import('./group-limits'), loadTexts('limits')]))[0].GroupLimits,
  () => true,
);

interface Group {
  readonly name: string;
  readonly ratio: number | undefined;
  /** Undefined = users may not choose it. */
  readonly description: string | undefined;
}

/** Groups, what calls in them cost, and which of them users may choose. */
export function PriceGroups({ draft }: { draft: PriceDraft }) {
  const { t } = useTranslation();
  const { stored, texts, apply } = draft;
  const [limited, setLimited] = useState<string>();
  const saved = useMemo(() => numberMap(stored['GroupRatio']), [stored]);
  const groups = useMemo(() => groupsOf(texts), [texts]);
  const { page } = useLocalPage(groups);
  const write = (name: string, next: Omit<Group, 'name'> | undefined) => {
    const ratios = numberMap(texts['GroupRatio']);
    const descriptions = textMap(texts['UserUsableGroups']);
    put(ratios, name, next?.ratio);
    put(descriptions, name, next?.description);
    apply([
      { key: 'GroupRatio', value: JSON.stringify(Object.fromEntries(ratios)) },
      { key: 'UserUsableGroups', value: JSON.stringify(Object.fromEntries(descriptions)) },
    ]);
  };
  const columns: Column<Group>[] = [
    {
      id: 'name',
      label: t('prices.groups.name'),
      choosable: false,
      card: 'title',
      render: ({ name }) => <span style={{ fontFamily: MONO, fontSize: 12.5 }}>{name}</span>,
    },
    {
      id: 'ratio',
      label: t('prices.GroupRatio.label'),
      card: 'line',
      render: (group) => (
        <FigureInput
          value={group.ratio ?? 1}
          label={t('prices.groups.ratioOf', { name: group.name })}
          onChange={(ratio) => write(group.name, { ...group, ratio })}
        />
      ),
    },
    {
      id: 'usable',
      label: t('prices.groups.usable'),
      card: 'line',
      render: (group) => (
        <Switch
          checked={group.description !== undefined}
          slotProps={{ input: { 'aria-label': t('prices.groups.usableOf', { name: group.name }) } }}
          onChange={(_event, on) => write(group.name, { ...group, description: on ? group.name : undefined })}
        />
      ),
    },
    {
      id: 'description',
      label: t('prices.groups.description'),
      card: 'line',
      render: (group) =>
        group.description === undefined ? null : (
          <OutlinedInput
            size="small"
            value={group.description}
            onChange={(event) => write(group.name, { ...group, description: event.target.value })}
            inputProps={{
              'aria-label': t('prices.groups.descriptionOf', { name: group.name }),
              maxLength: LIMITS.groupDescription,
            }}
            autoComplete="off"
            sx={{ height: 32, fontSize: 13, width: { xs: '100%', sm: 260 } }}
          />
        ),
    },
  ];
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ px: 2.5, pt: 1.5 }}>
        {t('prices.groups.help')}
      </Typography>
      <AddName
        label={t('prices.groups.name')}
        action={t('prices.groups.add')}
        isTaken={(typed) => groups.some(({ name }) => name === typed)}
        onAdd={(name) => write(name, { ratio: 1, description: undefined })}
      />
      <DataTable
        name="price-groups"
        label={t('prices.groups.title')}
        columns={columns}
        {...page}
        rowId={({ name }) => name}
        rowName={({ name }) => name}
        actions={({ name }) => (
          <>
            <IconButton
              size="small"
              disabled={!saved.has(name)}
              aria-label={t('prices.groups.limitsOf', { name })}
              onClick={() => setLimited(name)}
            >
              <SpeedOutlined sx={{ fontSize: 18 }} />
            </IconButton>
            <IconButton
              size="small"
              disabled={name === 'default'}
              aria-label={t('prices.groups.remove', { name })}
              onClick={() => write(name, undefined)}
            >
              <DeleteOutlineRounded sx={{ fontSize: 18 }} />
            </IconButton>
          </>
        )}
        empty={<Empty title={t('common.table.nothingFound')} />}
        failedTitle={t('settings.loadFailed')}
      />
      {limited !== undefined && (
        <GroupLimits key={limited} group={limited} onClose={() => setLimited(undefined)} />
      )}
      <PriceGroupModels draft={draft} groups={groups.map(({ name }) => name)} />
    </>
  );
}

/** The default group first, the others by name. */
function groupsOf(texts: OptionTexts): Group[] {
  const ratios = numberMap(texts['GroupRatio']);
  const descriptions = textMap(texts['UserUsableGroups']);
  return [...new Set([...ratios.keys(), ...descriptions.keys()])]
    .toSorted(
      (left, right) => Number(right === 'default') - Number(left === 'default') || (left < right ? -1 : 1),
    )
    .map((name) => ({ name, ratio: ratios.get(name), description: descriptions.get(name) }));
}

function textMap(text: string | undefined): Map<string, string> {
  const value = parseJson(text ?? '');
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value).map(([name, entry]) => [name, String(entry)]));
}

function put<T>(map: Map<string, T>, name: string, value: T | undefined): void {
  if (value === undefined) map.delete(name);
  else map.set(name, value);
}
