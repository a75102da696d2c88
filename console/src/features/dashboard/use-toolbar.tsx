import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { FilterSelect } from '../../shared/table/filter-select';
import { SearchBox } from '../../shared/table/search-box';
import { TimeFilter } from '../../shared/table/time-filter';
import { boundFilter, type ListState } from '../../shared/table/use-list-state';
import { ALL_SPANS, OWN_SPANS, type UseFilterName, type UseView } from './use-filters';
import { GRAINS, MEASURES } from './use-sums';

interface UseToolbarProps {
  list: Pick<ListState<UseFilterName>, 'filters' | 'setFilters'>;
  view: UseView;
  isAdministrator: boolean;
  /** Whether only the own use is looked at, which goes back a month at most. */
  isOwn: boolean;
}

/** What is looked at: whose use, since when, how finely, and which figure. */
export function UseToolbar({ list, view, isAdministrator, isOwn }: UseToolbarProps) {
  const { t } = useTranslation();
  const { filters, setFilters } = list;
  const spans = isOwn ? OWN_SPANS : ALL_SPANS;
  const chooseSpan = (value: string) =>
    setFilters(
      value === 'custom'
        ? { span: '', start: String(view.start), end: String(view.end) }
        : { span: value, start: '', end: '', grain: '' },
    );
  const moment = (name: 'start' | 'end') => (
    <TimeFilter
      value={view[name]}
      label={t(`dashboard.use.${name}`)}
      onChange={(seconds) => setFilters({ [name]: String(seconds ?? '') })}
    />
  );
  return (
    <Box role="search" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mb: 2 }}>
      {isAdministrator && (
        <FilterSelect
          value={filters.who}
          label={t('dashboard.use.who')}
          onChange={(who) => setFilters({ who, by: '', username: '' })}
          width={130}
          all={t('dashboard.use.everybody')}
          values={['self']}
          text={() => t('dashboard.use.own')}
        />
      )}
      {isAdministrator && !isOwn && (
        <>
          <SearchBox {...boundFilter(list, 'username')} label={t('dashboard.use.username')} width={170} />
          <FilterSelect
            value={filters.by}
            label={t('dashboard.use.by')}
            onChange={(by) => setFilters({ by, username: '' })}
            width={130}
            all={t('dashboard.use.byModel')}
            values={['account']}
            text={() => t('dashboard.use.byAccount')}
          />
        </>
      )}
      <FilterSelect
        value={view.span}
        label={t('dashboard.use.span')}
        onChange={chooseSpan}
        width={130}
        values={[...spans, 'custom'] as const}
        text={(span) => t(`dashboard.span.${span}`)}
      />
      {view.span === 'custom' && (
        <>
          {moment('start')}
          {moment('end')}
        </>
      )}
      <FilterSelect
        value={view.grain}
        label={t('dashboard.use.grain')}
        onChange={(grain) => setFilters({ grain })}
        width={110}
        values={GRAINS}
        text={(grain) => t(`dashboard.grain.${grain}`)}
      />
      <FilterSelect
        value={view.measure}
        label={t('dashboard.use.measure')}
        onChange={(measure) => setFilters({ measure })}
        width={110}
        values={MEASURES}
        text={(measure) => t(`dashboard.measure.${measure}`)}
      />
    </Box>
  );
}
