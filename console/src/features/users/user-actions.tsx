import MoreHorizRounded from '@mui/icons-material/MoreHorizRounded';
import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { MenuButton } from '../../shared/page/menu-button';
import { ROLE, useCurrentUser } from '../../api/current-user';
import { useFreshly } from '../../shared/identity/step-up';
import {
  IDENTITIES,
  useFreeIdentity,
  useManageUser,
  usePurgeUser,
  type Identity,
  type User,
  type UserAction,
} from './api';
import { canBeEnabled, USER_STATUS } from './user.labels';

/** Everything a row offers; the server has the last word, this only leaves out what it would refuse. */
export type OfferedAction = UserAction | 'edit' | 'quota' | 'security' | 'purge' | `free-${Identity}`;

export function offeredActions(actor: Pick<User, 'id' | 'role'>, user: User): OfferedAction[] {
  const isSelf = user.id === actor.id;
  const isRoot = actor.role >= ROLE.root;
  if (user.DeletedAt !== null) return isRoot ? [...boundIdentities(user), 'purge'] : [];
  if (!isRoot && user.role >= actor.role) return isSelf ? ['edit'] : [];
  const actions: OfferedAction[] = ['edit', 'quota'];
  if (user.role >= ROLE.root) return actions;
  actions.push('security');
  if (isRoot) actions.push(user.role >= ROLE.administrator ? 'demote' : 'promote');
  if (user.status === USER_STATUS.active) actions.push('disable');
  else if (canBeEnabled(user.status)) actions.push('enable');
  actions.push('delete');
  return actions;
}

const boundIdentities = (user: User): `free-${Identity}`[] =>
  (Object.keys(IDENTITIES) as Identity[])
    .filter((provider) => user[IDENTITIES[provider]] !== '')
    .map((provider) => `free-${provider}` as const);

const identityOf = (action: OfferedAction): Identity | undefined =>
  (Object.keys(IDENTITIES) as Identity[]).find((provider) => action === `free-${provider}`);

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
  const purge = usePurgeUser();
  const freeIdentity = useFreeIdentity();
  const actor = useCurrentUser();
  const name = user.username;
  const offered = actor === null ? [] : offeredActions(actor, user);
  if (offered.length === 0) return null;

  const change = async (action: UserAction | 'purge') => {
    const yes =
      action === 'enable' ||
      (await confirm({
        title: t(`users.confirm.${action}`, { name }),
        consequence: t(`users.confirm.${action}Text`),
        action: t(`users.action.${action}`),
        danger: action === 'disable' || action === 'delete' || action === 'purge',
        typeToConfirm: action === 'delete' || action === 'purge' ? name : undefined,
      }));
    if (!yes) return;
    await freshly<unknown>(() =>
      action === 'purge' ? purge.mutateAsync(user.id) : manage.mutateAsync({ id: user.id, action }),
    ).then(
      () => toast('success', t('users.done')),
      (error: unknown) => toast('error', errorText(error)),
    );
  };
  const free = async (provider: Identity) => {
    const identity = t(`users.identity.${provider}`);
    const yes = await confirm({
      title: t('users.confirm.free', { name, identity }),
      consequence: t('users.confirm.freeText'),
      action: t('users.action.free', { identity }),
      danger: true,
    });
    if (!yes) return;
    await freshly(() => freeIdentity.mutateAsync({ id: user.id, provider })).then(
      () => toast('success', t('users.done')),
      (error: unknown) => toast('error', errorText(error)),
    );
  };
  const act = (action: OfferedAction) => {
    const provider = identityOf(action);
    if (provider !== undefined) void free(provider);
    else if (action === 'edit')
      void navigate({ pathname: `/user/edit/${user.id}`, search: window.location.search });
    else if (action === 'quota') onAdjustQuota(user);
    else if (action === 'security') onSecurity(user);
    else void change(action as UserAction | 'purge');
  };

  const labelOf = (action: OfferedAction): string => {
    const provider = identityOf(action);
    return provider === undefined
      ? t(`users.action.${action as Exclude<OfferedAction, `free-${Identity}`>}`)
      : t('users.action.free', { identity: t(`users.identity.${provider}`) });
  };

  return (
    <MenuButton label={t('users.action.of', { name })} icon={<MoreHorizRounded fontSize="small" />}>
      {(close) =>
        offered.map((action) => (
          <MenuItem key={action} onClick={() => (close(), act(action))}>
            {labelOf(action)}
          </MenuItem>
        ))
      }
    </MenuButton>
  );
}
