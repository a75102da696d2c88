import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useTranslation } from 'react-i18next';
import { ColumnChooser } from '../../shared/table/column-chooser';
import type { Column } from '../../shared/table/columns';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import type { ListState } from '../../shared/table/use-list-state';
import type { PriceEntry } from './api';
import { PRICE_KINDS } from './prices';

/** What stands in the address; the group and the ratios choose a view and hide nothing, so they are no chips. */
export const PRICE_VIEW = { keyword: '', vendor: '', type: '', group: '', ratios: '' } as const;
export type PriceViewName = keyof typeof PRICE_VIEW;
const HIDING = ['keyword', 'vendor', 'type'] as const;

interface PricingToolbarProps {
  list: ListState<PriceViewName>;
  columns: readonly Column<PriceEntry>[];
  vendors: readonly string[];
  groups: readonly { readonly name: string; readonly label: string }[];
  /** The group whose prices are shown. */
  group: string;
  onRefresh: () => void;
}

export function PricingToolbar({ list, columns, vendors, groups, group, onRefresh }: PricingToolbarProps) {
  const { t } = useTranslation();
  const { filters, setFilters } = list;
  const shown = (name: (typeof HIDING)[number]): string => {
    const type = PRICE_KINDS.find((each) => each === filters.type);
    return name === 'type' && type !== undefined ? t(`pricing.type.${type}`) : filters[name];
  };
  return (
    <ListToolbar
      search={
        <SearchBox
          value={filters.keyword}
          label={t('pricing.search')}
          onSearch={(keyword) => setFilters({ keyword })}
        />
      }
      filters={
        <>
          <FilterSelect
            value={group}
            label={t('pricing.group')}
            onChange={(next) => setFilters({ group: next })}
            options={groups.map(({ name, label }) => ({ value: name, label }))}
          />
          <FilterSelect
            value={filters.vendor}
            label={t('pricing.column.vendor')}
            onChange={(vendor) => setFilters({ vendor })}
            options={[
              { value: '', label: t('pricing.allVendors') },
              ...vendors.map((vendor) => ({ value: vendor, label: vendor })),
            ]}
          />
          <FilterSelect
            value={filters.type}
            label={t('pricing.column.type')}
            onChange={(type) => setFilters({ type })}
            options={[
              { value: '', label: t('pricing.allTypes') },
              ...PRICE_KINDS.map((type) => ({ value: type, label: t(`pricing.type.${type}`) })),
            ]}
          />
          <FormControlLabel
            control={
              <Switch
                checked={filters.ratios !== ''}
                onChange={(_event, checked) => setFilters({ ratios: checked ? 'true' : '' })}
              />
            }
            label={t('pricing.ratios')}
            sx={{ mx: 0.5, gap: 0.5 }}
          />
        </>
      }
      chips={HIDING.filter((name) => filters[name] !== '').map((name) => ({
        id: name,
        label: t(`pricing.chip.${name}`, { value: shown(name) }),
        onClear: () => setFilters({ [name]: '' }),
      }))}
      onClearAll={() => setFilters({ keyword: '', vendor: '', type: '' })}
      onRefresh={onRefresh}
      tools={<ColumnChooser table="pricing" columns={columns} />}
    />
  );
}
