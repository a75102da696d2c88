import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { ChannelId } from '../../shared/records/channel-id';
import { LongText } from '../../shared/records/long-text';
import { Progress } from '../../shared/records/progress';
import { TimeTaken } from '../../shared/records/time-taken';
import type { Column } from '../../shared/table/columns';
import { CopyableText } from '../../shared/value/copyable';
import { ExactTime, isMoment } from '../../shared/value/exact-time';
import type { Drawing } from './api';
import { ActionTag, DrawingStatusTag, SubmitTag } from './drawing-tags';
import { FAILURE } from './drawing.labels';
import { ResultImage } from './result-image';

/** Long texts of a drawing: cut in the table, whole where the row is opened. */
export const TEXT_COLUMNS = { prompt: 'prompt', promptEn: 'prompt_en', reason: 'fail_reason' } as const;

export function useDrawingColumns(asAdministrator: boolean): Column<Drawing>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const account: Column<Drawing> = {
      id: 'account',
      label: t('records.column.account'),
      hiddenAtFirst: true,
      render: (row) => (row.user_id === 0 ? null : <AccountLink id={row.user_id} />),
    };
    const channel: Column<Drawing> = {
      id: 'channel',
      label: t('records.column.channel'),
      render: (row) => (row.channel_id === 0 ? null : <ChannelId id={row.channel_id} />),
    };
    const text = (id: keyof typeof TEXT_COLUMNS, label: string, card?: 'line'): Column<Drawing> => ({
      id,
      label,
      ...(card === undefined ? {} : { card }),
      render: (row) => {
        const value = row[TEXT_COLUMNS[id]];
        return value === '' ? null : <LongText text={value} label={label} />;
      },
    });
    return [
      {
        id: 'time',
        label: t('records.column.submitted'),
        choosable: false,
        card: 'title',
        width: 152,
        render: (row) =>
          isMoment(row.submit_time / 1000) ? (
            <ExactTime seconds={row.submit_time / 1000} />
          ) : (
            t('records.notAvailable')
          ),
      },
      {
        id: 'duration',
        label: t('records.column.duration'),
        align: 'right',
        render: (row) => <TimeTaken fromMs={row.submit_time} toMs={row.finish_time} />,
      },
      ...(asAdministrator ? [account, channel] : []),
      {
        id: 'type',
        label: t('records.column.type'),
        card: 'line',
        render: (row) => <ActionTag action={row.action} />,
      },
      {
        id: 'taskId',
        label: t('records.column.taskId'),
        render: (row) => (row.mj_id === '' ? null : <CopyableText text={row.mj_id} />),
      },
      {
        id: 'result',
        label: t('drawings.column.result'),
        render: (row) => <SubmitTag code={row.code} />,
      },
      {
        id: 'status',
        label: t('records.column.status'),
        card: 'aside',
        render: (row) => <DrawingStatusTag status={row.status} />,
      },
      {
        id: 'progress',
        label: t('records.column.progress'),
        card: 'line',
        render: (row) => <Progress form="bar" text={row.progress} failed={row.status === FAILURE} />,
      },
      {
        id: 'image',
        label: t('drawings.column.image'),
        card: 'line',
        render: (row) => (row.image_url === '' ? null : <ResultImage drawing={row} />),
      },
      text('prompt', t('drawings.column.prompt'), 'line'),
      text('promptEn', t('drawings.column.promptEn')),
      text('reason', t('records.column.reason'), 'line'),
    ];
  }, [t, asAdministrator]);
}
