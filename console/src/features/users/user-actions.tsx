import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { MenuButton } from '../../shared/page/menu-button';
import { ROLE, useCurrentUser } from '../../shared/session/current-user';
import { useManageUser, type User, type UserAction } from './api';
import { USER_STATUS } from './user.labels';

/** Actions that make sense for a row. The server has the last word; this only leaves out what it would refuse. */
export function offeredActions(actorRole: number, user: User): UserAction[] {
  if (user.DeletedAt !== null || user.role >= ROLE.root || user.role >= actorRole) return [];
  const actions: UserAction[] = [];
  if (actorRole >= ROLE.root) actions.push(user.role >= ROLE.administrator ? 'demote' : 'promote');
  actions.push(user.status === USER_STATUS.active ? 'disable' : 'enable', 'delete');
  return actions;
}

export function UserActions({ user }: { user: User }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const manage = useManageUser();
  const actorRole = useCurrentUser()?.role ?? 0;
  const name = user.username;
  if (user.DeletedAt !== null) return null;

  const act = async (action: UserAction) => {
    const yes =
      action === 'enable' ||
      (await confirm({
        title: t(`users.confirm.${action}`, { name }),
        consequence: t(`users.confirm.${action}Text`),
        action: t(`users.action.${action}`),
        danger: action === 'disable' || action === 'delete',
        typeToConfirm: action === 'delete' ? name : undefined,
      }));
    if (yes) manage.mutate({ id: user.id, action }, { onSuccess: () => toast('success', t('users.done')) });
  };

  return (
    <MenuButton label={t('users.action.of', { name })} icon={<MoreHorizRounded fontSize="small" />}>
      {(close) => [
        <MenuItem key="edit" onClick={() => (close(), void navigate(`/user/edit/${user.id}`))}>
          {t('users.action.edit')}
        </MenuItem>,
        ...offeredActions(actorRole, user).map((action) => (
          <MenuItem key={action} onClick={() => (close(), void act(action))}>
            {t(`users.action.${action}`)}
          </MenuItem>
        )),
      ]}
    </MenuButton>
  );
}
