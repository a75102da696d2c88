import { useTranslation } from 'react-i18next';
import { ColumnChooser } from '../../shared/table/column-chooser';
import type { Column } from '../../shared/table/columns';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { isRange, RANGE_NAMES } from '../../shared/format/timestamp';
import { SearchBox } from '../../shared/table/search-box';
import { boundFilter, filterChips, type ListState } from '../../shared/table/use-list-state';
import type { AuditEvent } from './api';
import type { AuditFilterName } from './audit-filters';
import { hasText } from './audit.labels';

interface AuditToolbarProps {
  list: ListState<AuditFilterName>;
  columns: readonly Column<AuditEvent>[];
  onRefresh: () => void;
}

export function AuditToolbar({ list, columns, onRefresh }: AuditToolbarProps) {
  const { t, i18n } = useTranslation();
  const { filters } = list;
  const shown = (name: AuditFilterName): string => {
    const value = filters[name];
    if (name === 'type' && hasText('target', value, i18n)) return t(`audit.target.${value}`);
    if (name === 'range' && isRange(value)) return t(`audit.range.${value}`);
    return value;
  };
  return (
    <ListToolbar
      search={<SearchBox {...boundFilter(list, 'action')} label={t('audit.filter.action')} width={210} />}
      filters={
        <>
          <SearchBox {...boundFilter(list, 'actor')} label={t('audit.filter.actor')} width={150} />
          <FilterSelect
            {...boundFilter(list, 'type')}
            label={t('audit.filter.type')}
            all={t('audit.filter.allTypes')}
            values={keysOf(t('audit.target', { returnObjects: true }))}
            text={(type) => t(`audit.target.${type}`)}
          />
          <SearchBox {...boundFilter(list, 'target')} label={t('audit.filter.target')} width={150} />
          <FilterSelect
            {...boundFilter(list, 'range')}
            label={t('audit.filter.range')}
            all={t('audit.range.all')}
            values={RANGE_NAMES}
            text={(name) => t(`audit.range.${name}`)}
          />
        </>
      }
      {...filterChips(list, (name) => t(`audit.chip.${name}`, { value: shown(name) }))}
      onRefresh={onRefresh}
      tools={<ColumnChooser table="audit" columns={columns} />}
    />
  );
}

const keysOf = <Texts extends object>(texts: Texts) => Object.keys(texts) as (keyof Texts & string)[];
