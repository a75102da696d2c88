import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { z } from 'zod';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { toast } from '../../shared/feedback/toast';
import { FormDrawer } from '../../shared/form/form-drawer';
import { FormSection } from '../../shared/form/form-section';
import { QuotaField } from '../../shared/form/quota-field';
import { SelectField } from '../../shared/form/select-field';
import { SecretField, TextField } from '../../shared/form/text-field';
import { groupsQuery } from '../../shared/session/reference-lists';
import { Facts } from '../../shared/value/facts';
import { useCreateUser, useEditUser, userQuery, type User } from './api';

const PASSWORD = { min: 8, max: 128 };

function userSchema(t: TFunction, isNew: boolean) {
  return z.object({
    username: z
      .string()
      .trim()
      .min(1, t('users.error.required'))
      .regex(/^[\w.-]{3,64}$/, t('users.error.username')),
    displayName: z.string().max(20, t('common.form.tooLong', { max: 20 })),
    password: z.string().refine((text) => {
      const length = [...text].length;
      return (!isNew && length === 0) || (length >= PASSWORD.min && length <= PASSWORD.max);
    }, t('users.error.password')),
    group: z.string(),
    quota: z.number(t('common.form.notNumber')).int(t('common.form.notInteger')),
  });
}

type UserValues = z.infer<ReturnType<typeof userSchema>>;

const NEW_USER: UserValues = { username: '', displayName: '', password: '', group: 'default', quota: 0 };

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
  const schema = useMemo(() => userSchema(t, isNew), [t, isNew]);
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
            group: user.group,
            quota: user.quota,
          },
  });
  const create = useCreateUser();
  const edit = useEditUser();
  const submit = async (values: UserValues) => {
    const named = { username: values.username.trim(), display_name: values.displayName.trim() };
    if (user === undefined) await create.mutateAsync({ ...named, password: values.password });
    else {
      await edit.mutateAsync({
        ...named,
        id: user.id,
        group: values.group,
        quota: values.quota,
        loaded_quota: user.quota,
        ...(values.password === '' ? {} : { password: values.password }),
      });
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
        quota: t('users.form.quota'),
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
      {user !== undefined && (
        <>
          <GroupField form={form} />
          <QuotaField
            control={form.control}
            name="quota"
            label={t('users.form.quota')}
            help={t('users.form.quotaHelp')}
          />
          <Bindings user={user} />
        </>
      )}
    </FormDrawer>
  );
}

function GroupField({ form }: { form: ReturnType<typeof useForm<UserValues>> }) {
  const { t } = useTranslation();
  const groups = useQuery(groupsQuery).data ?? [];
  const current = form.getValues('group');
  const names = groups.includes(current) ? groups : [current, ...groups];
  return (
    <SelectField
      control={form.control}
      name="group"
      label={t('users.form.group')}
      help={t('users.form.groupHelp')}
      options={names.map((name) => ({ value: name, label: name }))}
    />
  );
}

/** Names of outside providers are the same in every language. */
function Bindings({ user }: { user: User }) {
  const { t } = useTranslation();
  const shown = (value: string) => (value === '' ? t('users.form.none') : value);
  return (
    <FormSection title={t('users.form.bindings')} explanation={t('users.form.bindingsHelp')}>
      <Facts
        facts={[
          [t('users.form.email'), shown(user.email)],
          ['GitHub', shown(user.github_id)],
          ['OIDC', shown(user.oidc_id)],
          ['WeChat', shown(user.wechat_id)],
          ['Telegram', shown(user.telegram_id)],
          ['Linux DO', shown(user.linux_do_id)],
        ]}
      />
    </FormSection>
  );
}
