import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import { useCopy } from '../../shared/dialog/manual-copy';
import { toast } from '../../shared/feedback/toast';
import { useUndo } from '../../shared/feedback/use-undo';
import { MenuButton } from '../../shared/page/menu-button';
import { useDeleteRedemption, useSwitchRedemption, type Redemption } from './api';
import { isEditable, isReadable, REDEMPTION_STATUS } from './redemption.labels';

interface RedemptionActionsProps {
  code: Redemption;
  onEdit: (code: Redemption) => void;
}

/** Used codes are records: they can be copied and deleted, nothing else. */
export function RedemptionActions({ code, onEdit }: RedemptionActionsProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const confirm = useConfirm();
  const offerUndo = useUndo('redemptions');
  const change = useSwitchRedemption();
  const remove = useDeleteRedemption();
  const { name, status } = code;
  const isUsed = status === REDEMPTION_STATUS.used;
  const isDisabled = status === REDEMPTION_STATUS.disabled;

  const toggle = async () => {
    const yes =
      isDisabled ||
      (await confirm({
        title: t('redemptions.confirm.disable', { name }),
        consequence: t('redemptions.confirm.disableText'),
        action: t('common.disable'),
        danger: true,
      }));
    if (!yes) return;
    const { unused, disabled } = REDEMPTION_STATUS;
    change.mutate(
      { id: code.id, status: isDisabled ? unused : disabled },
      {
        onSuccess: () =>
          toast(
            'success',
            t(isDisabled ? 'redemptions.done.enabled' : 'redemptions.done.disabled', { name }),
          ),
      },
    );
  };
  /** A used code cannot be restored. */
  const askAndDelete = async () => {
    const yes =
      !isUsed ||
      (await confirm({
        title: t('redemptions.confirm.delete', { name }),
        consequence: t('redemptions.confirm.deleteUsedText'),
        action: t('common.delete'),
        danger: true,
      }));
    if (yes)
      remove.mutate(code.id, {
        onSuccess: () => offerUndo(t('redemptions.done.deleted', { name }), isUsed ? undefined : [code.id]),
      });
  };

  return (
    <MenuButton
      label={t('redemptions.action.of', { name, id: code.id })}
      icon={<MoreHorizRounded fontSize="small" />}
    >
      {(close) => [
        <MenuItem key="copy" disabled={!isReadable(code)} onClick={() => (close(), void copy(code.key))}>
          {t('redemptions.action.copy')}
        </MenuItem>,
        <MenuItem key="edit" disabled={!isEditable(code)} onClick={() => (close(), onEdit(code))}>
          {t('redemptions.action.edit')}
        </MenuItem>,
        <MenuItem key="switch" disabled={isUsed} onClick={() => (close(), void toggle())}>
          {isDisabled ? t('redemptions.action.enable') : t('common.disable')}
        </MenuItem>,
        <MenuItem key="delete" onClick={() => (close(), void askAndDelete())}>
          {t('common.delete')}
        </MenuItem>,
      ]}
    </MenuButton>
  );
}
