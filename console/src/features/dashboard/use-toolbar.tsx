import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useTranslation } from 'react-i18next';
import { fromInputTime, toInputTime } from '../../shared/format/timestamp';
import { FilterSelect } from '../../shared/table/filter-select';
import { SearchBox } from '../../shared/table/search-box';
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
    <OutlinedInput
      type="datetime-local"
      value={toInputTime(view[name])}
      onChange={(event) => setFilters({ [name]: String(fromInputTime(event.target.value) ?? '') })}
      inputProps={{ 'aria-label': t(`dashboard.use.${name}`) }}
      sx={{ height: 36, width: { xs: '100%', sm: 196 } }}
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
          options={[
            { value: '', label: t('dashboard.use.everybody') },
            { value: 'self', label: t('dashboard.use.own') },
          ]}
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
            options={[
              { value: '', label: t('dashboard.use.byModel') },
              { value: 'account', label: t('dashboard.use.byAccount') },
            ]}
          />
        </>
      )}
      <FilterSelect
        value={view.span}
        label={t('dashboard.use.span')}
        onChange={chooseSpan}
        width={130}
        options={[
          ...spans.map((span) => ({ value: span, label: t(`dashboard.span.${span}`) })),
          { value: 'custom', label: t('dashboard.span.custom') },
        ]}
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
        options={GRAINS.map((grain) => ({ value: grain, label: t(`dashboard.grain.${grain}`) }))}
      />
      <FilterSelect
        value={view.measure}
        label={t('dashboard.use.measure')}
        onChange={(measure) => setFilters({ measure })}
        width={110}
        options={MEASURES.map((measure) => ({ value: measure, label: t(`dashboard.measure.${measure}`) }))}
      />
    </Box>
  );
}
