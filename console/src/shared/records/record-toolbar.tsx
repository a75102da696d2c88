import { useTranslation } from 'react-i18next';
import { formatSeconds } from '../format/timestamp';
import { ColumnChooser } from '../table/column-chooser';
import type { Column } from '../table/columns';
import { ListToolbar } from '../table/list-toolbar';
import { SearchBox } from '../table/search-box';
import { TimeFilter } from '../table/time-filter';
import { boundFilter, type ListState } from '../table/use-list-state';
import { boundText, NO_BOUND, spanOf, type RecordFilterName, type TimeSpan } from './record-filters';

interface RecordToolbarProps<T> {
  /** Name the choice of columns is saved under. */
  table: string;
  list: ListState<RecordFilterName>;
  columns: readonly Column<T>[];
  asAdministrator: boolean;
  /** The span that is shown while nothing is typed. */
  usual: TimeSpan;
  onRefresh: () => void;
}

/** Above the drawing log and the task log: task id, channel for administrators, from when to when. */
export function RecordToolbar<T>(props: RecordToolbarProps<T>) {
  const { table, list, columns, asAdministrator, usual, onRefresh } = props;
  const { t } = useTranslation();
  const { filters, setFilters } = list;
  const span = spanOf(filters, usual);
  const chipText = (name: RecordFilterName): string => {
    const value = filters[name];
    if (name === 'task_id' || name === 'channel_id') return t(`records.chip.${name}`, { value });
    const seconds = span[name];
    if (value === NO_BOUND || seconds === undefined)
      return name === 'start' ? t('records.chip.noStart') : t('records.chip.noEnd');
    return t(`records.chip.${name}`, { value: formatSeconds(seconds) });
  };
  const bound = (name: 'start' | 'end', word: string) => (
    <TimeFilter
      value={span[name]}
      label={t(`records.filter.${name}`)}
      word={word}
      onChange={(seconds) => setFilters({ [name]: boundText(seconds, usual[name]) })}
    />
  );
  return (
    <ListToolbar
      search={<SearchBox {...boundFilter(list, 'task_id')} label={t('records.filter.taskId')} width={200} />}
      filters={
        <>
          {asAdministrator && (
            <SearchBox
              value={filters.channel_id}
              label={t('records.filter.channel')}
              onChange={(text) => setFilters({ channel_id: text.replaceAll(/\D/g, '') })}
              width={150}
            />
          )}
          {bound('start', t('records.filter.from'))}
          {bound('end', t('records.filter.to'))}
        </>
      }
      chips={list.active
        .filter((name) => asAdministrator || name !== 'channel_id')
        .map((name) => ({ id: name, label: chipText(name), onClear: () => setFilters({ [name]: '' }) }))}
      onClearAll={list.clearFilters}
      onRefresh={onRefresh}
      tools={<ColumnChooser table={table} columns={columns} />}
    />
  );
}
