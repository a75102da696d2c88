import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { AccountLink } from '../../shared/accounts/account-link';
import { ChannelId } from '../../shared/records/channel-id';
import { LongText } from '../../shared/records/long-text';
import { Progress } from '../../shared/records/progress';
import { TimeTaken } from '../../shared/records/time-taken';
import type { Column } from '../../shared/table/columns';
import { ExactTime, isMoment } from '../../shared/value/exact-time';
import type { Task } from './api';
import { ActionTag, PlatformTag, TaskStatusTag } from './task-tags';
import { FAILURE } from './task.labels';

export function useTaskColumns(asAdministrator: boolean): Column<Task>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const moment = (seconds: number) => (isMoment(seconds) ? <ExactTime seconds={seconds} /> : null);
    const account: Column<Task> = {
      id: 'account',
      label: t('records.column.account'),
      hiddenAtFirst: true,
      render: (row) => (row.user_id === 0 ? null : <AccountLink id={row.user_id} />),
    };
    const channel: Column<Task> = {
      id: 'channel',
      label: t('records.column.channel'),
      render: (row) => (row.channel_id === 0 ? null : <ChannelId id={row.channel_id} />),
    };
    return [
      {
        id: 'submitted',
        label: t('records.column.submitted'),
        card: 'line',
        width: 152,
        render: (row) => moment(row.submit_time),
      },
      {
        id: 'finished',
        label: t('tasks.column.finished'),
        width: 152,
        render: (row) => moment(row.finish_time),
      },
      {
        id: 'progress',
        label: t('records.column.progress'),
        card: 'line',
        render: (row) => <Progress form="circle" text={row.progress} failed={row.status === FAILURE} />,
      },
      {
        id: 'duration',
        label: t('records.column.duration'),
        align: 'right',
        card: 'line',
        render: (row) => <TimeTaken fromMs={row.submit_time * 1000} toMs={row.finish_time * 1000} />,
      },
      ...(asAdministrator ? [account, channel] : []),
      {
        id: 'platform',
        label: t('tasks.column.platform'),
        render: (row) => <PlatformTag platform={row.platform} />,
      },
      {
        id: 'type',
        label: t('records.column.type'),
        card: 'line',
        render: (row) => <ActionTag action={row.action} />,
      },
      {
        id: 'taskId',
        label: t('records.column.taskId'),
        choosable: false,
        card: 'title',
        render: (row) =>
          row.task_id === '' ? (
            t('records.noId')
          ) : (
            <Box
              component="span"
              sx={{
                fontFamily: MONO,
                fontSize: 12.5,
                maxWidth: 200,
                overflow: 'hidden',
                textOverflow: 'ellipsis',
                whiteSpace: 'nowrap',
              }}
            >
              {row.task_id}
            </Box>
          ),
      },
      {
        id: 'status',
        label: t('records.column.status'),
        card: 'aside',
        render: (row) => <TaskStatusTag status={row.status} />,
      },
      {
        id: 'reason',
        label: t('records.column.reason'),
        card: 'line',
        render: (row) =>
          row.fail_reason === '' ? null : (
            <LongText text={row.fail_reason} label={t('records.column.reason')} maxWidth={200} />
          ),
      },
    ];
  }, [t, asAdministrator]);
}
