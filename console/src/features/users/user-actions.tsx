import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { useUndo } from '../../shared/feedback/use-undo';
import { MenuButton } from '../../shared/page/menu-button';
import { isRoot, ROLE, useCurrentUser } from '../../api/current-user';
import { useFreshly } from '../../shared/identity/step-up';
import { useManageUser, type User, type UserAction } from './api';
import { canBeEnabled, USER_STATUS } from './user.labels';

/** Everything a row offers; the server has the last word, this only leaves out what it would refuse. */
export type OfferedAction = UserAction | 'edit' | 'quota' | 'security';

export function offeredActions(actor: Pick<User, 'id' | 'role'>, user: User): OfferedAction[] {
  const isSelf = user.id === actor.id;
  const isActorRoot = actor.role >= ROLE.root;
  if (user.DeletedAt !== null) return [];
  if (!isActorRoot && user.role >= actor.role) return isSelf ? ['edit'] : [];
  const actions: OfferedAction[] = ['edit', 'quota'];
  if (user.role >= ROLE.root) return actions;
  actions.push('security');
  if (isActorRoot) actions.push(user.role >= ROLE.administrator ? 'demote' : 'promote');
  if (user.status === USER_STATUS.active) actions.push('disable');
  else if (canBeEnabled(user.status)) actions.push('enable');
  actions.push('delete');
  return actions;
}

interface UserActionsProps {
  user: User;
  onAdjustQuota: (user: User) => void;
  onSecurity: (user: User) => void;
}

export function UserActions({ user, onAdjustQuota, onSecurity }: UserActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const errorText = useErrorText();
  const freshly = useFreshly();
  const manage = useManageUser();
  const offerUndo = useUndo('users');
  const actor = useCurrentUser();
  const mayRestore = isRoot(actor);
  const name = user.username;
  const offered = actor === null ? [] : offeredActions(actor, user);
  if (offered.length === 0) return null;

  const change = async (action: UserAction) => {
    // Root restores an account by the toast; an administrator cannot, so the name is typed.
    const isUndoable = action === 'delete' && mayRestore;
    const yes =
      action === 'enable' ||
      isUndoable ||
      (await confirm({
        title: t(`users.confirm.${action}`, { name }),
        consequence: t(`users.confirm.${action}Text`),
        action: t(`users.action.${action}`),
        danger: action === 'disable' || action === 'delete',
        typeToConfirm: action === 'delete' ? name : undefined,
      }));
    if (!yes) return;
    await freshly<unknown>(() => manage.mutateAsync({ id: user.id, action })).then(
      () =>
        isUndoable ? offerUndo(t('users.deleted', { name }), [user.id]) : toast('success', t('users.done')),
      (error: unknown) => toast('error', errorText(error)),
    );
  };
  const act = (action: OfferedAction) => {
    if (action === 'edit')
      void navigate({ pathname: `/user/edit/${user.id}`, search: window.location.search });
    else if (action === 'quota') onAdjustQuota(user);
    else if (action === 'security') onSecurity(user);
    else void change(action);
  };

  return (
    <MenuButton label={t('users.action.of', { name })} icon={<MoreHorizRounded fontSize="small" />}>
      {(close) => [
        <MenuItem key="open" onClick={() => (close(), void navigate(`/user/${user.id}`))}>
          {t('users.action.open')}
        </MenuItem>,
        ...offered.map((action) => (
          <MenuItem key={action} onClick={() => (close(), act(action))}>
            {t(`users.action.${action}`)}
          </MenuItem>
        )),
      ]}
    </MenuButton>
  );
}
