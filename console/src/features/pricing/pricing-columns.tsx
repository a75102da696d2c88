import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import RemoveCircleOutlineRounded from '@mui/icons-material/RemoveCircleOutlineRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { useTranslation } from 'react-i18next';
import { StatusTag } from '../../shared/feedback/status-tag';
import type { Column } from '../../shared/table/columns';
import { BrandMark } from '../../shared/brand/brand-mark';
import { CopyableText } from '../../shared/value/copyable';
import type { PriceEntry } from './api';
import { formatPrice, priceKindOf, priceIn } from './prices';

interface ColumnTools {
  /** The group whose prices are shown. */
  group: string;
  groupRatio: number;
  withRatios: boolean;
  onGroup: (group: string) => void;
}

export function usePricingColumns({
  group,
  groupRatio,
  withRatios,
  onGroup,
}: ColumnTools): Column<PriceEntry>[] {
  const { t } = useTranslation();
  const dollars = (value: number | undefined) => (value === undefined ? '–' : formatPrice(value));
  const ratio = (entry: PriceEntry, value: number) =>
    priceKindOf(entry) !== 'use' ? '–' : value.toLocaleString('en-US', { maximumFractionDigits: 6 });
  const columns: Column<PriceEntry>[] = [
    {
      id: 'available',
      label: t('pricing.column.available'),
      card: 'aside',
      render: (entry) =>
        // Readers of this cell alone must not take the model for one with a known price.
        entry.is_price_unset ? (
          <PriceTypeTag entry={entry} />
        ) : (
          <Availability isAvailable={entry.enable_groups.includes(group)} group={group} />
        ),
    },
    {
      id: 'model',
      label: t('pricing.column.model'),
      choosable: false,
      card: 'title',
      render: (entry) => (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.75, minWidth: 0 }}>
          <BrandMark name={entry.model_name} />
          <CopyableText text={entry.model_name} />
        </Box>
      ),
    },
    {
      id: 'vendor',
      label: t('pricing.column.vendor'),
      render: (entry) => (entry.vendor === '' ? '–' : entry.vendor),
    },
    {
      id: 'type',
      label: t('pricing.column.type'),
      render: (entry) => (entry.is_price_unset ? '–' : <PriceTypeTag entry={entry} />),
    },
    {
      id: 'groups',
      label: t('pricing.column.groups'),
      render: (entry) => <Groups names={entry.enable_groups} shown={group} onGroup={onGroup} />,
    },
    {
      id: 'input',
      label: t('pricing.column.input'),
      align: 'right',
      card: 'line',
      render: (entry) => {
        const price = priceIn(entry, groupRatio);
        if (price.call !== undefined) return t('pricing.perCall', { price: formatPrice(price.call) });
        return dollars(price.input);
      },
    },
    {
      id: 'output',
      label: t('pricing.column.output'),
      align: 'right',
      card: 'line',
      render: (entry) => dollars(priceIn(entry, groupRatio).output),
    },
    {
      id: 'cacheRead',
      label: t('pricing.column.cacheRead'),
      align: 'right',
      hiddenAtFirst: true,
      render: (entry) => dollars(priceIn(entry, groupRatio).cacheRead),
    },
  ];
  if (!withRatios) return columns;
  return [
    ...columns,
    {
      id: 'modelRatio',
      label: t('pricing.column.modelRatio'),
      align: 'right',
      card: 'line',
      render: (entry) => ratio(entry, entry.model_ratio),
    },
    {
      id: 'completionRatio',
      label: t('pricing.column.completionRatio'),
      align: 'right',
      card: 'line',
      render: (entry) => ratio(entry, entry.completion_ratio),
    },
    {
      id: 'groupRatio',
      label: t('pricing.column.groupRatio'),
      align: 'right',
      render: () => groupRatio,
    },
  ];
}

function Availability({ isAvailable, group }: { isAvailable: boolean; group: string }) {
  const { t } = useTranslation();
  return (
    <StatusTag
      tone={isAvailable ? 'ok' : 'neutral'}
      icon={isAvailable ? <CheckCircleOutlineRounded /> : <RemoveCircleOutlineRounded />}
      tooltip={t(isAvailable ? 'pricing.availableIn' : 'pricing.notAvailableIn', { group })}
    >
      {t(isAvailable ? 'pricing.available' : 'pricing.notAvailable')}
    </StatusTag>
  );
}

/** Way calls are charged; a missing price is shown here too. */
export function PriceTypeTag({ entry }: { entry: PriceEntry }) {
  const { t } = useTranslation();
  const type = priceKindOf(entry);
  if (type === 'unset') {
    return (
      <StatusTag tone="warning" tooltip={t('pricing.unsetHelp')}>
        {t('pricing.type.unset')}
      </StatusTag>
    );
  }
  return <StatusTag tone={type === 'call' ? 'accent' : 'notice'}>{t(`pricing.type.${type}`)}</StatusTag>;
}

/** Groups of a model; pressing one shows its prices. */
function Groups({
  names,
  shown,
  onGroup,
}: {
  names: readonly string[];
  shown: string;
  onGroup: (group: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', gap: 0.5 }}>
      {names.map((name) => (
        <ButtonBase
          key={name}
          aria-pressed={name === shown}
          aria-label={t('pricing.showGroup', { group: name })}
          onClick={() => onGroup(name)}
          sx={{
            font: 'inherit',
            px: 0.75,
            minHeight: 24,
            borderRadius: '6px',
            fontSize: 12.5,
            bgcolor: name === shown ? 'soft.accent' : 'soft.neutral',
            color: name === shown ? 'primary.main' : 'text.primary',
            fontWeight: name === shown ? 600 : 400,
          }}
        >
          {name}
        </ButtonBase>
      ))}
    </Box>
  );
}
