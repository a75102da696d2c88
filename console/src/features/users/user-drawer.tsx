import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { toast } from '../../shared/feedback/toast';
import { FormDrawer } from '../../shared/form/form-drawer';
import { SecretField, TextField } from '../../shared/form/text-field';
import { useCurrentUser } from '../../api/current-user';
import { useFreshly } from '../../shared/identity/fresh-proof';
import { useCreateUser, useEditUser, userQuery, type User, type UserEdit } from './api';
import { Bindings, GroupField, InviteFacts, QuotaPart } from './user-drawer-parts';
import { NEW_USER, userSchema, type UserValues } from './user.schema';

/** /user/edit/{id} */
export function EditUserRoute() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const id = Number(useParams()['id']);
  const { data, error, isError, refetch } = useQuery(userQuery(id));
  const loading = isError ? (
    <Failed title={t('users.form.notFound')} error={error} onRetry={() => void refetch()} />
  ) : (
    <Loading />
  );
  return (
    <UserDrawer
      user={data}
      loading={data === undefined ? loading : undefined}
      onClose={() => void navigate({ pathname: '/user', search: window.location.search })}
    />
  );
}

interface UserDrawerProps {
  /** Absent for a new account. */
  user?: User;
  loading?: ReactNode;
  onClose: () => void;
}

export function UserDrawer({ user, loading, onClose }: UserDrawerProps) {
  const { t } = useTranslation();
  const isNew = user === undefined && loading === undefined;
  const isSelf = useCurrentUser()?.id === user?.id;
  const kind = isNew ? 'new' : isSelf ? 'own' : 'other';
  const schema = useMemo(() => userSchema(t, kind), [t, kind]);
  const form = useForm<UserValues>({
    resolver: zodResolver(schema),
    defaultValues: NEW_USER,
    values:
      user === undefined
        ? undefined
        : {
            username: user.username,
            displayName: user.display_name,
            password: '',
            original: '',
            group: user.group,
            quota: user.quota,
            reason: '',
          },
  });
  const [password] = useWatch({ control: form.control, name: ['password'] });
  const freshly = useFreshly();
  const create = useCreateUser();
  const edit = useEditUser();
  const submit = async (values: UserValues) => {
    const named = { username: values.username.trim(), display_name: values.displayName.trim() };
    if (user === undefined) await freshly(() => create.mutateAsync({ ...named, password: values.password }));
    else {
      const changes: UserEdit = {
        ...named,
        id: user.id,
        ...(values.password === '' ? {} : { password: values.password }),
        ...(isSelf && values.password !== '' ? { original_password: values.original } : {}),
        ...(isSelf ? {} : { group: values.group }),
        // Left out when untouched: what is spent meanwhile is nobody's change.
        ...(isSelf || values.quota === user.quota
          ? {}
          : { quota: values.quota, loaded_quota: user.quota, reason: values.reason }),
      };
      await freshly(() => edit.mutateAsync(changes));
    }
    toast('success', t(user === undefined ? 'users.created' : 'users.saved'));
    onClose();
  };
  return (
    <FormDrawer
      open
      title={t(isNew ? 'users.form.addTitle' : 'users.form.editTitle')}
      explanation={user?.username}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t(isNew ? 'users.form.create' : 'common.save')}
      fieldLabels={{
        username: t('users.form.username'),
        displayName: t('users.form.displayName'),
        password: t('users.form.password'),
        original: t('users.form.original'),
        quota: t('users.form.quota'),
        reason: t('users.quota.reason'),
      }}
      loading={loading}
    >
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
