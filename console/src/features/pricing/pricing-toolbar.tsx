import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useTranslation } from 'react-i18next';
import { ColumnChooser } from '../../shared/table/column-chooser';
import type { Column } from '../../shared/table/columns';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { boundFilter, filterChips, type ListState } from '../../shared/table/use-list-state';
import type { PriceEntry } from './api';
import { PRICE_KINDS } from './prices';

/** Filters in the address. */
export const PRICE_VIEW = { keyword: '', vendor: '', type: '', group: '', ratios: '' } as const;
export type PriceViewName = keyof typeof PRICE_VIEW;
/** The group and the ratios choose a view and hide nothing, so they are no chips. */
export const HIDING = ['keyword', 'vendor', 'type'] as const;

type HidingName = (typeof HIDING)[number];

interface PricingToolbarProps {
  list: ListState<PriceViewName, HidingName>;
  columns: readonly Column<PriceEntry>[];
  vendors: readonly string[];
  groups: readonly string[];
  groupText: (name: string) => string;
  /** The group whose prices are shown. */
  group: string;
  onRefresh: () => void;
}

export function PricingToolbar({
  list,
  columns,
  vendors,
  groups,
  groupText,
  group,
  onRefresh,
}: PricingToolbarProps) {
  const { t } = useTranslation();
  const { filters, setFilters } = list;
  const shown = (name: HidingName): string => {
    const type = PRICE_KINDS.find((each) => each === filters.type);
    return name === 'type' && type !== undefined ? t(`pricing.type.${type}`) : filters[name];
  };
  return (
    <ListToolbar
      search={<SearchBox {...boundFilter(list, 'keyword')} label={t('pricing.search')} />}
      filters={
        <>
          <FilterSelect
            value={group}
            label={t('pricing.group')}
            onChange={(next) => setFilters({ group: next })}
            values={groups}
            text={groupText}
          />
          <FilterSelect
            {...boundFilter(list, 'vendor')}
            label={t('pricing.column.vendor')}
            all={t('pricing.allVendors')}
            values={vendors}
          />
          <FilterSelect
            {...boundFilter(list, 'type')}
            label={t('pricing.column.type')}
            all={t('pricing.allTypes')}
            values={PRICE_KINDS}
            text={(type) => t(`pricing.type.${type}`)}
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
      {...filterChips(list, (name) => t(`pricing.chip.${name}`, { value: shown(name) }))}
      onRefresh={onRefresh}
      tools={<ColumnChooser table="pricing" columns={columns} />}
    />
  );
}
