import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { FilterSelect } from '../../shared/table/filter-select';
import { SearchBox } from '../../shared/table/search-box';
import { TimeFilter } from '../../shared/table/time-filter';
import { boundFilter, type ListState } from '../../shared/table/use-list-state';
import {
  ALL_SPANS,
  ATTEMPT_FIGURES,
  OWN_SPANS,
  partsOf,
  type UseFilterName,
  type UseView,
} from './use-filters';
import { GRAINS, MEASURES } from './use-sums';

interface UseToolbarProps {
  list: Pick<ListState<UseFilterName>, 'filters' | 'setFilters'>;
  view: UseView;
  isAdministrator: boolean;
  /** True for the user's own use, which goes back a month at most. */
  isOwn: boolean;
}

/** Selects the account, span, grain and figure. */
export function UseToolbar({ list, view, isAdministrator, isOwn }: UseToolbarProps) {
  const { t } = useTranslation();
  const { filters, setFilters } = list;
  const parts = partsOf(isOwn, view);
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
          {view.figure === undefined && (
            <SearchBox {...boundFilter(list, 'username')} label={t('dashboard.use.username')} width={170} />
          )}
        </>
      )}
      <FilterSelect
        value={parts.find((known) => known === filters.by) ?? ''}
        label={t('dashboard.use.by')}
        onChange={(by) => setFilters({ by, username: '' })}
        width={130}
        all={t('dashboard.part.model')}
        values={parts}
        text={(by) => t(`dashboard.part.${by}`)}
      />
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
        values={view.grain === 'utcDay' ? [view.grain] : GRAINS}
        text={(grain) => t(`dashboard.grain.${grain}`)}
      />
      <FilterSelect
        value={view.figure ?? view.measure}
        label={t('dashboard.use.measure')}
        onChange={(measure) => setFilters({ measure })}
        width={130}
        values={isOwn ? MEASURES : [...MEASURES, ...ATTEMPT_FIGURES]}
        text={(measure) => t(`dashboard.measure.${measure}`)}
      />
    </Box>
  );
}
