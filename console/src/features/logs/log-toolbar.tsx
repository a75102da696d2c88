import FileDownloadOutlined from '@mui/icons-material/FileDownloadOutlined';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Switch from '@mui/material/Switch';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../shared/feedback/tip';
import { formatSeconds, isRange, RANGE_NAMES, rangeStart } from '../../shared/format/timestamp';
import { ColumnChooser } from '../../shared/table/column-chooser';
import type { Column } from '../../shared/table/columns';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { TimeFilter } from '../../shared/table/time-filter';
import { boundFilter, filterChips, type ListState } from '../../shared/table/use-list-state';
import { useExportLogs, type LogLine, type LogRequest } from './api';
import { EVERY_LINE, LOG_SORTS, type LogFilterName, type NarrowingName } from './log-filters';
import { LogSearch } from './log-search';
import { LOG_TYPES, logType } from './log.labels';

interface LogToolbarProps {
  list: ListState<LogFilterName, NarrowingName>;
  columns: readonly Column<LogLine>[];
  asAdministrator: boolean;
  /** Request of the shown page; the exported file holds all its lines. */
  request: LogRequest;
  live: boolean;
  onLive: (live: boolean) => void;
  onRefresh: () => void;
  onRequest: (id: string) => void;
}

export function LogToolbar({
  list,
  columns,
  asAdministrator,
  request,
  live,
  onLive,
  onRefresh,
  onRequest,
}: LogToolbarProps) {
  const { t } = useTranslation();
  const { filters } = list;
  const isPhone = useMediaQuery('(max-width:600px)');
  const typeText = (type: string) =>
    t(`logs.type.${type === EVERY_LINE ? 'all' : logType(Number(type)).word}`);
  const chipText = (name: NarrowingName): string => {
    const value = filters[name];
    if (name === 'type') return t('logs.chip.type', { value: typeText(value) });
    if (name === 'range')
      return t('logs.chip.range', { value: isRange(value) ? t(`logs.range.${value}`) : value });
    if (name === 'start' || name === 'end')
      return t(`logs.chip.${name}`, { value: formatSeconds(Number(value)) });
    if (name === 'failed_attempt') return t('logs.chip.failed_attempt');
    return t(`logs.chip.${name}`, { value });
  };
  return (
    <ListToolbar
      search={
        <LogSearch asAdministrator={asAdministrator} onFilter={list.setFilters} onRequest={onRequest} />
      }
      filters={
        <>
          <FilterSelect
            {...boundFilter(list, 'type')}
            label={t('logs.filter.type')}
            width={150}
            all={t('logs.type.calls')}
            values={[EVERY_LINE, ...LOG_TYPES]}
            text={typeText}
          />
          {asAdministrator && (
            <FilterSelect
              {...boundFilter(list, 'failed_attempt')}
              label={t('logs.filter.attempts')}
              width={140}
              all={t('logs.filter.anyAttempts')}
              values={['1'] as const}
              text={() => t('logs.filter.failedAttempt')}
            />
          )}
          <RangeFilter list={list} />
          {/* On a desk the headings of the columns sort. */}
          {isPhone && (
            <FilterSelect
              {...boundFilter(list, 'sort')}
              label={t('logs.filter.sort')}
              all={t('logs.sort.newest')}
              values={LOG_SORTS}
              text={(each) => t(`logs.sort.${each}`)}
            />
          )}
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

function RangeFilter({ list }: { list: ListState<LogFilterName, NarrowingName> }) {
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
