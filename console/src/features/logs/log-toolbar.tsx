import FileDownloadOutlined from '@mui/icons-material/FileDownloadOutlined';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Switch from '@mui/material/Switch';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../shared/feedback/tip';
import { formatSeconds, isRange, RANGE_NAMES, rangeStart } from '../../shared/format/timestamp';
import { ColumnChooser } from '../../shared/table/column-chooser';
import type { Column } from '../../shared/table/columns';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { TimeFilter } from '../../shared/table/time-filter';
import { boundFilter, filterChips, type ListState } from '../../shared/table/use-list-state';
import { useExportLogs, type LogLine, type LogRequest } from './api';
import type { LogFilterName } from './log-filters';
import { LOG_TYPES, logType } from './log.labels';

interface LogToolbarProps {
  list: ListState<LogFilterName>;
  columns: readonly Column<LogLine>[];
  asAdministrator: boolean;
  /** What is shown; the file holds all of it. */
  request: LogRequest;
  live: boolean;
  onLive: (live: boolean) => void;
  onRefresh: () => void;
}

export function LogToolbar({
  list,
  columns,
  asAdministrator,
  request,
  live,
  onLive,
  onRefresh,
}: LogToolbarProps) {
  const { t } = useTranslation();
  const { filters } = list;
  const typeText = (type: string) => t(`logs.type.${logType(Number(type)).word}`);
  const chipText = (name: LogFilterName): string => {
    const value = filters[name];
    if (name === 'type') return t('logs.chip.type', { value: typeText(value) });
    if (name === 'range')
      return t('logs.chip.range', { value: isRange(value) ? t(`logs.range.${value}`) : value });
    if (name === 'start' || name === 'end')
      return t(`logs.chip.${name}`, { value: formatSeconds(Number(value)) });
    return t(`logs.chip.${name}`, { value });
  };
  return (
    <ListToolbar
      search={<SearchBox {...boundFilter(list, 'model_name')} label={t('logs.filter.model')} width={200} />}
      filters={
        <>
          <SearchBox {...boundFilter(list, 'token_name')} label={t('logs.filter.token')} width={150} />
          <SearchBox {...boundFilter(list, 'request_id')} label={t('logs.filter.request')} width={150} />
          {asAdministrator && (
            <>
              <SearchBox {...boundFilter(list, 'username')} label={t('logs.filter.username')} width={150} />
              <SearchBox {...boundFilter(list, 'channel')} label={t('logs.filter.channel')} width={150} />
            </>
          )}
          <FilterSelect
            {...boundFilter(list, 'type')}
            label={t('logs.filter.type')}
            width={130}
            all={t('logs.type.all')}
            values={LOG_TYPES}
            text={typeText}
          />
          <RangeFilter list={list} />
        </>
      }
      {...filterChips(list, chipText)}
      onRefresh={onRefresh}
      tools={
        <>
          <Tip title={t('logs.liveHelp')}>
            <FormControlLabel
              label={t('logs.live')}
              sx={{ mx: 0.5, '& .MuiTypography-root': { fontSize: 13, whiteSpace: 'nowrap' } }}
              control={<Switch checked={live} onChange={(_event, on) => onLive(on)} />}
            />
          </Tip>
          <ExportButton request={request} />
          <ColumnChooser table="logs" columns={columns} />
        </>
      }
    />
  );
}

function ExportButton({ request }: { request: LogRequest }) {
  const { t } = useTranslation();
  const exportLogs = useExportLogs();
  return (
    <Tip title={t('logs.exportHelp')}>
      <span>
        <IconButton
          size="small"
          aria-label={t('logs.export')}
          loading={exportLogs.isPending}
          onClick={() => exportLogs.mutate(request)}
        >
          <FileDownloadOutlined fontSize="small" />
        </IconButton>
      </span>
    </Tip>
  );
}

function RangeFilter({ list }: { list: ListState<LogFilterName> }) {
  const { t } = useTranslation();
  const { filters, setFilters } = list;
  const custom = filters.start !== '' || filters.end !== '' || filters.range === 'custom';
  const choose = (value: string) => {
    if (value !== 'custom') setFilters({ range: value, start: '', end: '' });
    else setFilters({ range: '', start: rangeStart('day', Date.now() / 1000), end: '' });
  };
  const moment = (name: 'start' | 'end') => (
    <TimeFilter
      value={filters[name] === '' ? undefined : Number(filters[name])}
      label={t(`logs.filter.${name}`)}
      onChange={(seconds) => setFilters({ [name]: String(seconds ?? '') })}
    />
  );
  return (
    <>
      <FilterSelect
        value={custom ? 'custom' : filters.range}
        label={t('logs.filter.range')}
        onChange={choose}
        width={140}
        all={t('logs.range.all')}
        values={[...RANGE_NAMES, 'custom'] as const}
        text={(name) => t(`logs.range.${name}`)}
      />
      {custom && (
        <>
          {moment('start')}
          {moment('end')}
        </>
      )}
    </>
  );
}
