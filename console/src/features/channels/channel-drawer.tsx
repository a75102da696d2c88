import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { useConfirm } from '../../shared/dialog/confirm';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { toast } from '../../shared/feedback/toast';
import { FormDrawer } from '../../shared/form/form-drawer';
import { channelQuery, useAddChannel, useEditChannel, type Channel } from './api';
import { ChannelFields } from './channel-fields';
import { useChannelTypes } from './channel.types';
import { channelSchema, NEW_CHANNEL, toChannel, toValues, type ChannelValues } from './channel.schema';

/** /channel/add */
export function AddChannelRoute() {
  return <ChannelDrawer />;
}

/** /channel/edit/{id} */
export function EditChannelRoute() {
  const { t } = useTranslation();
  const id = Number(useParams()['id']);
  const { data, error, isError, refetch } = useQuery(channelQuery(id));
  const loading = isError ? (
    <Failed title={t('channels.form.notFound')} error={error} onRetry={() => void refetch()} />
  ) : (
    <Loading />
  );
  return <ChannelDrawer channel={data} loading={data === undefined ? loading : undefined} />;
}

/** How the server is told what the lines of the key field mean. */
const MODES = { single: 'single', batch: 'batch', ring: 'multi_to_single' } as const;

interface ChannelDrawerProps {
  channel?: Channel;
  loading?: ReactNode;
}

function ChannelDrawer({ channel, loading }: ChannelDrawerProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const isNew = channel === undefined && loading === undefined;
  const types = useChannelTypes();
  const schema = useMemo(() => channelSchema(t, isNew, types), [t, isNew, types]);
  const form = useForm<ChannelValues>({
    resolver: zodResolver(schema),
    defaultValues: NEW_CHANNEL,
    values: channel === undefined ? undefined : toValues(channel),
  });
  const add = useAddChannel();
  const edit = useEditChannel({ inline: true });
  const close = () => void navigate({ pathname: '/channel', search: window.location.search });

  const submit = async (values: ChannelValues) => {
    const endsInVersion = /\/v1\/?$/.test(values.baseUrl.trim());
    if (endsInVersion && values.type !== '8' && form.formState.dirtyFields.baseUrl === true) {
      const keep = await confirm({
        title: t('channels.confirm.baseUrl'),
        consequence: t('channels.confirm.baseUrlText'),
        action: t('channels.confirm.keep'),
      });
      if (!keep) return;
    }
    const ring = values.keyUse === 'ring' ? { multi_key_mode: values.ringMode } : {};
    if (channel === undefined)
      await add.mutateAsync({ ...toChannel(values), ...ring, mode: MODES[values.keyUse] });
    else
      await edit.mutateAsync({
        ...toChannel(values, channel.settings),
        ...ring,
        ...(values.keyUse === 'ring' ? { key_mode: values.keyMode } : {}),
        id: channel.id,
      });
    toast('success', t(channel === undefined ? 'channels.done.added' : 'channels.done.saved'));
    form.reset(values);
    close();
  };

  return (
    <FormDrawer
      open
      title={t(isNew ? 'channels.form.addTitle' : 'channels.form.editTitle')}
      explanation={channel?.name}
      form={form}
      onSubmit={submit}
      onClose={close}
      submitLabel={t(isNew ? 'channels.form.create' : 'channels.form.save')}
      fieldLabels={{
        name: t('channels.form.name'),
        baseUrl: t('channels.form.baseUrl'),
        key: t('channels.form.key'),
        models: t('channels.form.models'),
        groups: t('channels.form.groups'),
        priority: t('channels.form.priority'),
        weight: t('channels.form.weight'),
        modelMapping: t('channels.form.modelMapping'),
        statusMapping: t('channels.form.statusMapping'),
        paramOverride: t('channels.form.paramOverride'),
        headerOverride: t('channels.form.headerOverride'),
        proxy: t('channels.form.proxy'),
        other: t('channels.form.other'),
        setting: t('channels.form.setting'),
      }}
      loading={loading}
    >
      <ChannelFields form={form} types={types} channel={channel} />
    </FormDrawer>
  );
}
