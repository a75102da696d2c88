import { useCallback } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { FormDrawer } from '../../shared/form/form-drawer';
import { useEditDrawer } from '../../shared/resource/use-edit-drawer';
import { channelQuery, useAddChannel, useEditChannel, type Channel } from './api';
import { ChannelFields } from './channel-fields';
import { useChannelTypes } from './channel.types';
import { channelSchema, NEW_CHANNEL, toChannel, toValues, type ChannelValues } from './channel.schema';

/** How a request says what the lines of the key field mean. */
const MODES = { single: 'single', batch: 'batch', ring: 'multi_to_single' } as const;

export function ChannelDrawer({ edited }: { edited: 'new' | number }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const types = useChannelTypes();
  const add = useAddChannel();
  const edit = useEditChannel({ inline: true });
  const isNewChannel = edited === 'new';

  /** Whether the address is meant as it is typed: a version at its end is nearly always one too many. */
  const isAddressMeant = async (values: ChannelValues, form: UseFormReturn<ChannelValues>) => {
    const endsInVersion = /\/v1\/?$/.test(values.baseUrl.trim());
    if (!endsInVersion || values.type === '8' || form.formState.dirtyFields.baseUrl !== true) return true;
    return confirm({
      title: t('channels.confirm.baseUrl'),
      consequence: t('channels.confirm.baseUrlText'),
      action: t('channels.confirm.keep'),
    });
  };
  const ringOf = (values: ChannelValues) =>
    values.keyUse === 'ring' ? { multi_key_mode: values.ringMode } : {};

  const { form, row, drawerProps } = useEditDrawer({
    id: edited,
    texts: 'channels',
    load: channelQuery,
    schema: useCallback(
      (_channel: Channel | undefined) => channelSchema(t, isNewChannel, types),
      [t, isNewChannel, types],
    ),
    initial: NEW_CHANNEL,
    toValues,
    create: async (values, shown) => {
      if (!(await isAddressMeant(values, shown))) return false;
      await add.mutateAsync({ ...toChannel(values), ...ringOf(values), mode: MODES[values.keyUse] });
      toast('success', t('channels.done.added'));
      shown.reset(values);
      return true;
    },
    save: async (channel, values, shown) => {
      if (!(await isAddressMeant(values, shown))) return false;
      await edit.mutateAsync({
        ...toChannel(values, channel.settings),
        ...ringOf(values),
        ...(values.keyUse === 'ring' ? { key_mode: values.keyMode } : {}),
        id: channel.id,
      });
      toast('success', t('channels.done.saved'));
      shown.reset(values);
      return true;
    },
    onClose: () => void navigate({ pathname: '/channel', search: window.location.search }),
    saveLabel: t('channels.form.save'),
  });

  return (
    <FormDrawer {...drawerProps} explanation={row?.name}>
      <ChannelFields form={form} types={types} channel={row} />
    </FormDrawer>
  );
}
