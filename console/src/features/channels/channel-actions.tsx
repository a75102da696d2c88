import AccountBalanceWalletOutlined from '@mui/icons-material/AccountBalanceWalletOutlined';
import BlockRounded from '@mui/icons-material/BlockRounded';
import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import EditOutlined from '@mui/icons-material/EditOutlined';
import KeyRounded from '@mui/icons-material/KeyRounded';
import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import Button from '@mui/material/Button';
import ListItemIcon from '@mui/material/ListItemIcon';
import MenuItem from '@mui/material/MenuItem';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../../shared/dialog/confirm';
import { describeError } from '../../shared/feedback/describe-error';
import { toast } from '../../shared/feedback/toast';
import { useUndo } from '../../shared/feedback/use-undo';
import { MenuButton } from '../../shared/page/menu-button';
import {
  useCopyChannel,
  useDeleteChannel,
  useEditChannel,
  useSwitchTag,
  useUpdateBalance,
  type Channel,
} from './api';
import type { ChannelRow } from './channel-rows';
import { CHANNEL_STATUS } from './channel.labels';
import { findType, useChannelTypes } from './channel.types';

interface ChannelActionsProps {
  channel: Channel;
  onTest: (channel: Channel) => void;
  onKeys: (channel: Channel) => void;
}

/** Actions on one channel. */
export function ChannelActions({ channel, onTest, onKeys }: ChannelActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const offerUndo = useUndo('channels');
  const edit = useEditChannel();
  const copy = useCopyChannel();
  const remove = useDeleteChannel();
  const balance = useUpdateBalance();
  const types = useChannelTypes();
  const { name } = channel;
  const enabled = channel.status === CHANNEL_STATUS.enabled;

  const toggle = () =>
    edit.mutate(
      { id: channel.id, status: enabled ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled },
      {
        onSuccess: () =>
          toast('success', t(enabled ? 'channels.done.disabled' : 'channels.done.enabled', { name })),
      },
    );
  const removeChannel = () =>
    remove.mutate(channel.id, {
      onSuccess: () => offerUndo(t('channels.done.deleted', { name }), [channel.id]),
    });

  return (
    <>
      <Button size="small" onClick={() => onTest(channel)} sx={{ mr: 0.5 }}>
        {t('channels.action.test')}
      </Button>
      <MenuButton label={t('channels.action.of', { name })} icon={<MoreHorizRounded fontSize="small" />}>
        {(close) => {
          const item = (label: string, icon: ReactNode, act: () => void) => (
            <MenuItem
              key={label}
              onClick={() => {
                close();
                act();
              }}
            >
              <ListItemIcon>{icon}</ListItemIcon>
              {label}
            </MenuItem>
          );
          return [
            item(
              t('channels.action.edit'),
              <EditOutlined fontSize="small" />,
              () => void navigate(`/channel/edit/${channel.id}`),
            ),
            channel.channel_info.is_multi_key &&
              item(t('channels.action.keys'), <KeyRounded fontSize="small" />, () => onKeys(channel)),
            enabled
              ? item(t('channels.action.disable'), <BlockRounded fontSize="small" />, toggle)
              : item(t('channels.action.enable'), <CheckCircleOutlineRounded fontSize="small" />, toggle),
            item(t('channels.action.copy'), <ContentCopyRounded fontSize="small" />, () =>
              copy.mutate(channel.id, {
                onSuccess: () => toast('success', t('channels.done.copied', { name })),
                onError: (error) =>
                  toast('error', t('channels.error.copy', { reason: describeError(error, t) })),
              }),
            ),
            findType(types, channel.type)?.has_balance === true &&
              item(t('channels.action.balance'), <AccountBalanceWalletOutlined fontSize="small" />, () =>
                balance.mutate(channel.id, {
                  onSuccess: (amount) =>
                    toast('success', t('channels.done.balance', { name, balance: amount.toFixed(2) })),
                }),
              ),
            item(t('channels.action.delete'), <DeleteOutlineRounded fontSize="small" />, removeChannel),
          ];
        }}
      </MenuButton>
    </>
  );
}

interface TagActionsProps {
  row: Extract<ChannelRow, { kind: 'tag' }>;
  onEdit: (tag: string) => void;
}

/** Actions on all channels of a tag. */
export function TagActions({ row, onEdit }: TagActionsProps) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const switchTag = useSwitchTag();
  const change = async (enabled: boolean) => {
    const yes =
      enabled ||
      (await confirm({
        title: t('channels.confirm.tagDisable', { tag: row.tag }),
        consequence: t('channels.confirm.tagDisableText', { count: row.channels.length }),
        action: t('common.disable'),
        danger: true,
      }));
    const done = enabled ? 'channels.done.enabled' : 'channels.done.disabled';
    if (yes)
      switchTag.mutate(
        { tag: row.tag, enabled },
        { onSuccess: () => toast('success', t(done, { name: row.tag })) },
      );
  };
  return (
    <MenuButton
      label={t('channels.action.of', { name: row.tag })}
      icon={<MoreHorizRounded fontSize="small" />}
    >
      {(close) => [
        <MenuItem key="edit" onClick={() => (close(), onEdit(row.tag))}>
          {t('channels.tagRow.edit')}
        </MenuItem>,
        <MenuItem key="on" onClick={() => (close(), void change(true))}>
          {t('channels.action.enable')}
        </MenuItem>,
        <MenuItem key="off" onClick={() => (close(), void change(false))}>
          {t('channels.action.disable')}
        </MenuItem>,
      ]}
    </MenuButton>
  );
}
