import NotificationsNoneRounded from '@mui/icons-material/NotificationsNoneRounded';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Empty } from '../../shared/feedback/empty';
import { StatusTag } from '../../shared/feedback/status-tag';
import { Section } from '../../shared/page/section';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { isRoot, useCurrentUser } from '../../api/current-user';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { useListState } from '../../shared/table/use-list-state';
import { Moment } from '../../shared/value/moment';
import { AlertDrawer } from './alert-drawer';
import { alertsQuery, type Alert } from './api';
import { SEVERITY_TONES } from './status.labels';

const FILTERS = { state: '' } as const;
const STATES = ['open', 'over'] as const;

/** Alerts, newest first; an opened one shows its remedy and acknowledgement. */
export function AlertsSection() {
  const { t, i18n } = useTranslation();
  const list = useListState(FILTERS);
  const { state } = list.filters;
  const language = i18n.resolvedLanguage ?? 'en';
  const query = useQuery(alertsQuery({ state, language, page: list.page, pageSize: list.pageSize }));
  const columns = useAlertColumns();
  const mayAct = isRoot(useCurrentUser());
  const [opened, open, close] = useOpenParameter('alert');
  const alert = query.data?.items.find(({ id }) => String(id) === opened) ?? null;
  const known = STATES.find((each) => each === state);
  return (
    <Section
      flush
      title={t('status.alerts.title')}
      explanation={t('status.alerts.text')}
      action={
        mayAct && (
          <Button component={Link} to="/setting?tab=system#section-alerts" size="small" color="inherit">
            {t('status.alerts.settings')}
          </Button>
        )
      }
    >
      <ListToolbar
        filters={
          <FilterSelect
            value={state}
            label={t('status.alerts.state')}
            onChange={(next) => list.setFilters({ state: next })}
            all={t('status.alerts.all')}
            values={STATES}
            text={(each) => t(`status.alerts.${each}`)}
          />
        }
        chips={list.active.map((filter) => ({
          id: filter,
          label: known === undefined ? state : t(`status.alerts.${known}`),
          onClear: list.clearFilters,
        }))}
        onRefresh={() => void query.refetch()}
      />
      <DataTable
        name="alerts"
        label={t('status.alerts.title')}
        columns={columns}
        // Asked again by itself every few seconds: only another page is worth dimming the rows.
        query={{ ...query, isFetching: query.isPlaceholderData }}
        rowId={({ id }) => id}
        rowName={({ title }) => title}
        onOpen={({ id }) => open(String(id))}
        isMuted={({ over_at: overAt }) => overAt !== null}
        paging={list}
        empty={
          <Empty
            icon={<NotificationsNoneRounded />}
            title={t('status.alerts.none')}
            explanation={t('status.alerts.noneText')}
          />
        }
        failedTitle={t('status.alerts.loadFailed')}
      />
      <AlertDrawer alert={alert} onClose={close} />
    </Section>
  );
}

function useAlertColumns(): Column<Alert>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'title',
      label: t('status.alerts.what'),
      choosable: false,
      card: 'title',
      fills: true,
      render: ({ title }) => title,
    },
    {
      id: 'severity',
      label: t('status.alerts.severity'),
      card: 'aside',
      render: ({ severity, over_at: overAt }) =>
        overAt === null ? (
          <StatusTag tone={SEVERITY_TONES[severity]}>{t(`status.severity.${severity}`)}</StatusTag>
        ) : (
          <StatusTag tone="ok">{t('status.alerts.over')}</StatusTag>
        ),
    },
    {
      id: 'since',
      label: t('status.alerts.began'),
      card: 'line',
      render: ({ since }) => <Moment seconds={since} />,
    },
    {
      id: 'over',
      label: t('status.alerts.ended'),
      render: ({ over_at: overAt }) => <Moment seconds={overAt ?? 0} never="–" />,
    },
    {
      id: 'acknowledged',
      label: t('status.alerts.acknowledgedBy'),
      card: 'line',
      render: ({ acknowledged_by: by }) => (by === '' ? '–' : by),
    },
  ];
}
