import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useCallback } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { toast } from '../../shared/feedback/toast';
import { FormDrawer } from '../../shared/form/form-drawer';
import { SecretField, TextField } from '../../shared/form/text-field';
import { useCurrentUser } from '../../api/current-user';
import { useFreshly } from '../../shared/identity/step-up';
import { useEditDrawer } from '../../shared/resource/use-edit-drawer';
import { useCreateUser, useEditUser, userQuery, type User, type UserEdit } from './api';
import { Bindings, GroupField, InviteFacts, QuotaPart } from './user-drawer-parts';
import { NEW_USER, userSchema, type UserValues } from './user.schema';

interface UserDrawerProps {
  /** `new`, or the id of an account. */
  edited: 'new' | number;
  onClose: () => void;
}

const toValues = (user: User): UserValues => ({
  username: user.username,
  displayName: user.display_name,
  password: '',
  original: '',
  group: user.group,
  quota: user.quota,
  reason: '',
});

const namesOf = (values: UserValues) => ({
  username: values.username.trim(),
  display_name: values.displayName.trim(),
});

export function UserDrawer({ edited, onClose }: UserDrawerProps) {
  const { t } = useTranslation();
  const isSelf = useCurrentUser()?.id === edited;
  const kind = edited === 'new' ? 'new' : isSelf ? 'own' : 'other';
  const freshly = useFreshly();
  const create = useCreateUser();
  const edit = useEditUser();
  const {
    form,
    row: user,
    isNew,
    drawerProps,
  } = useEditDrawer({
    id: edited,
    texts: 'users',
    load: userQuery,
    schema: useCallback((_user: User | undefined) => userSchema(t, kind), [t, kind]),
    initial: NEW_USER,
    toValues,
    create: async (values) => {
      await freshly(() => create.mutateAsync({ ...namesOf(values), password: values.password }));
      toast('success', t('users.created'));
    },
    save: async (loaded, values) => {
      const changes: UserEdit = {
        ...namesOf(values),
        id: loaded.id,
        ...(values.password === '' ? {} : { password: values.password }),
        ...(isSelf && values.password !== '' ? { original_password: values.original } : {}),
        ...(isSelf ? {} : { group: values.group }),
        // Left out when untouched: calls that are charged meanwhile must not be undone.
        ...(isSelf || values.quota === loaded.quota
          ? {}
          : { quota: values.quota, loaded_quota: loaded.quota, reason: values.reason }),
      };
      await freshly(() => edit.mutateAsync(changes));
      toast('success', t('users.saved'));
    },
    onClose,
    locked: (loaded) =>
      loaded.DeletedAt === null ? undefined : (
        <Box sx={{ p: 3 }}>
          <Alert severity="info">{t('users.form.deregistered', { name: loaded.username })}</Alert>
        </Box>
      ),
  });
  const [password] = useWatch({ control: form.control, name: ['password'] });
  return (
    <FormDrawer {...drawerProps} explanation={user?.username}>
      <TextField
        control={form.control}
        name="username"
        label={t('users.form.username')}
        help={t('users.form.usernameHelp')}
        required
      />
      <TextField control={form.control} name="displayName" label={t('users.form.displayName')} />
      <SecretField
        control={form.control}
        name="password"
        label={t('users.form.password')}
        help={t(isNew ? 'users.form.passwordHelp' : 'users.form.passwordEditHelp')}
        required={isNew}
      />
      {isSelf && password !== '' && (
        <SecretField
          control={form.control}
          name="original"
          label={t('users.form.original')}
          help={t('users.form.originalHelp')}
          autoComplete="current-password"
          required
        />
      )}
      {user !== undefined && (
        <>
          {!isSelf && (
            <>
              <GroupField form={form} />
              <QuotaPart form={form} loaded={user.quota} />
            </>
          )}
          <InviteFacts user={user} />
          <Bindings user={user} />
        </>
      )}
    </FormDrawer>
  );
}
