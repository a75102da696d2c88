import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../dialog/confirm';
import { lazyDialog } from '../feedback/lazy-dialog';
import { toast } from '../feedback/toast';
import { MenuButton } from '../page/menu-button';
import { type Limit, useDeleteLimit, useEndOverride, useSwitchLimit } from './limits.api';

const OverrideDialog = lazyDialog(
  async () => (await import('./limit-dialogs')).OverrideDialog,
  () => true,
);
const ResetDialog = lazyDialog(
  async () => (await import('./limit-dialogs')).ResetDialog,
  () => true,
);
const LimitHistory = lazyDialog(
  async () => (await import('./limit-history')).LimitHistory,
  () => true,
);

interface LimitActionsProps {
  limit: Limit;
  onEdit: (limit: Limit) => void;
}

/** Actions on a limit: its history for readers of its use, changes for accounts that may make them. */
export function LimitActions({ limit, onEdit }: LimitActionsProps) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const change = useSwitchLimit();
  const remove = useDeleteLimit();
  const endOverride = useEndOverride();
  const [shown, setShown] = useState<'override' | 'reset' | 'history' | null>(null);
  const { id, name } = limit;
  const hide = () => setShown(null);
  const hasEnd = limit.period !== '' && limit.period !== 'ever';

  const askAndDelete = async () => {
    const yes = await confirm({
      title: t('limits.confirm.delete', { name }),
      consequence: t('limits.confirm.deleteText'),
      action: t('common.delete'),
      danger: true,
    });
    if (yes) remove.mutate(id, { onSuccess: () => toast('success', t('limits.done.deleted', { name })) });
  };
  const changes = (close: () => void) => [
    <MenuItem key="edit" onClick={() => (close(), onEdit(limit))}>
      {t('limits.action.edit')}
    </MenuItem>,
    ...(hasEnd
      ? [
          <MenuItem key="override" onClick={() => (close(), setShown('override'))}>
            {t('limits.action.override')}
          </MenuItem>,
        ]
      : []),
    ...(limit.override === null
      ? []
      : [
          <MenuItem
            key="end"
            onClick={() => (
              close(),
              endOverride.mutate(id, { onSuccess: () => toast('success', t('limits.done.overrideEnded')) })
            )}
          >
            {t('limits.action.endOverride')}
          </MenuItem>,
        ]),
    <MenuItem
      key="reset"
      disabled={limit.use === null || limit.use.used === 0}
      onClick={() => (close(), setShown('reset'))}
    >
      {t('limits.action.reset')}
    </MenuItem>,
    <MenuItem key="switch" onClick={() => (close(), change.mutate({ id, enabled: !limit.enabled }))}>
      {t(limit.enabled ? 'limits.action.disable' : 'limits.action.enable')}
    </MenuItem>,
    <MenuItem key="delete" onClick={() => (close(), void askAndDelete())}>
      {t('common.delete')}
    </MenuItem>,
  ];
  return (
    <>
      <MenuButton label={t('limits.action.of', { name })} icon={<MoreHorizRounded fontSize="small" />}>
        {(close) => [
          <MenuItem
            key="history"
            disabled={limit.use === null}
            onClick={() => (close(), setShown('history'))}
          >
            {t('limits.action.history')}
          </MenuItem>,
          ...(limit.may_change ? changes(close) : []),
        ]}
      </MenuButton>
      {shown === 'override' && <OverrideDialog limit={limit} onClose={hide} />}
      {shown === 'reset' && <ResetDialog limit={limit} onClose={hide} />}
      {shown === 'history' && <LimitHistory limit={limit} onClose={hide} />}
    </>
  );
}
