import { useTranslation } from 'react-i18next';
import { StatusTag } from '../../shared/feedback/status-tag';
import type { Column } from '../../shared/table/columns';
import { Clipped } from '../../shared/value/clipped';
import { Moment } from '../../shared/value/moment';
import type { LogLine } from './api';
import { FilterValue } from './filter-value';
import {
  AccountCell,
  AmountCell,
  ChannelCell,
  DurationCell,
  ModelCell,
  type OnFilter,
  TimeCell,
  TokenCell,
  TokensCell,
} from './log-cells';
import { logText } from './log-text';
import { isCall, logType } from './log.labels';
import { useLogTexts } from './use-log-texts';

interface ColumnsInput {
  asAdministrator: boolean;
  /** The lines are of one account: its name is left out. */
  ofAccount?: boolean;
  onFilter: OnFilter;
}

/** Columns of calls only; other lines show their event in this place. */
export const CALL_COLUMNS = ['model', 'channel', 'token', 'tokens', 'duration'] as const;

/** Most important columns first: at 820 pixels there is room for time, amount, model and channel. */
export function useLogColumns({
  asAdministrator,
  ofAccount = false,
  onFilter,
}: ColumnsInput): Column<LogLine>[] {
  const { t } = useTranslation();
  const words = useLogTexts();
  const channel: Column<LogLine> = {
    id: 'channel',
    label: t('logs.column.channel'),
    card: 'line',
    render: (line) => <ChannelCell line={line} onFilter={onFilter} />,
  };
  const account: Column<LogLine> = {
    id: 'user',
    label: t('logs.column.user'),
    wideOnly: true,
    card: 'line',
    render: (line) => <AccountCell line={line} onFilter={onFilter} />,
  };
  const token: Column<LogLine> = {
    id: 'token',
    label: t('logs.column.token'),
    width: 150,
    render: (line) => <TokenCell line={line} onFilter={onFilter} />,
  };
  return [
    {
      id: 'time',
      label: t('logs.column.time'),
      choosable: false,
      card: 'title',
      width: 104,
      render: (line) => <TimeCell line={line} />,
    },
    {
      id: 'quota',
      label: t('logs.column.quota'),
      align: 'right',
      width: 112,
      sort: 'quota',
      card: 'line',
      render: (line) => <AmountCell line={line} />,
    },
    {
      id: 'model',
      label: t('logs.column.model'),
      card: 'line',
      render: (line) => <ModelCell line={line} onFilter={onFilter} />,
    },
    ...(asAdministrator ? [channel] : [token]),
    {
      id: 'tokens',
      label: t('logs.column.tokens'),
      align: 'right',
      width: 132,
      wideOnly: true,
      render: (line) => <TokensCell line={line} />,
    },
    {
      id: 'duration',
      label: t('logs.column.duration'),
      align: 'right',
      width: 104,
      sort: 'use_time',
      wideOnly: true,
      render: (line) => <DurationCell line={line} />,
    },
    ...(asAdministrator ? [ofAccount ? token : account] : []),
    {
      id: 'type',
      label: t('logs.column.type'),
      width: 128,
      wideOnly: true,
      card: 'aside',
      render: (line) => {
        const { word, tone } = logType(line.type);
        return <StatusTag tone={tone}>{t(`logs.type.${word}`)}</StatusTag>;
      },
    },
    {
      id: 'group',
      label: t('logs.column.group'),
      hiddenAtFirst: true,
      width: 110,
      render: (line) => (
        <FilterValue text={line.group} maxWidth="100%" onFilter={() => onFilter({ group: line.group })} />
      ),
    },
    {
      id: 'details',
      label: t('logs.column.details'),
      wideOnly: true,
      // The price of a call: administrators have no room for it on a usual screen; the drawer shows it.
      hiddenAtFirst: asAdministrator,
      render: (line) => (isCall(line) ? <Clipped text={logText(line, words)} maxWidth="100%" /> : null),
    },
    {
      id: 'ago',
      label: t('logs.drawer.when'),
      hiddenAtFirst: true,
      width: 110,
      render: (line) => <Moment seconds={line.created_at} />,
    },
  ];
}
