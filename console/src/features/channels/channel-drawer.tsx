import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useCallback, useRef, useState } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { FormDrawer } from '../../shared/form/form-drawer';
import { useFreshly } from '../../shared/identity/step-up';
import { useEditDrawer } from '../../shared/resource/use-edit-drawer';
import { channelQuery, useAddChannel, useEditChannel, type Channel } from './api';
import { ChannelFields } from './channel-fields';
import { useChannelPresets } from './channel-presets';
import { useChannelTypes } from './channel.types';
import { channelSchema, NEW_CHANNEL, toChannel, toValues, type ChannelValues } from './channel.schema';
import { TestFailure } from './test-failure';
import { useFormPrices } from './use-form-prices';
import { useTestOnSave } from './use-test-on-save';

/** Meaning of the lines of the key field, as the API names it. */
const MODES = { single: 'single', batch: 'batch', ring: 'multi_to_single' } as const;

export function ChannelDrawer({ edited }: { edited: 'new' | number }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const freshly = useFreshly();
  const types = useChannelTypes();
  const presets = useChannelPresets();
  const add = useAddChannel();
  const edit = useEditChannel({ inline: true });
  const isNewChannel = edited === 'new';
  /** The channel that this form has added, while its test fails. */
  const addedId = useRef<number>(undefined);
  const [testWish, setTestWish] = useState<boolean>();
  const close = () => void navigate({ pathname: '/channel', search: window.location.search });
  const testing = useTestOnSave(close);

  /** A new channel is tested, and one with a new key; several at once are not. */
  const isTested = ({ key, keyUse }: Pick<ChannelValues, 'key' | 'keyUse'>) =>
    keyUse !== 'batch' && (testWish ?? (isNewChannel || key.trim() !== ''));

  /** True when the address may stay as typed: a version at its end is nearly always one too many. */
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

  /** @returns true when the drawer may close */
  const finish = async (
    { id, status }: { id: number; status?: number },
    values: ChannelValues,
    form: UseFormReturn<ChannelValues>,
  ) => {
    form.reset(values);
    if (!isTested(values)) return true;
    const model = values.testModel.trim() || (prices.cheapest(values.models) ?? values.models[0] ?? '');
    return testing.test({ id, model, status });
  };
  const create = async (values: ChannelValues): Promise<number> => {
    const channel = { ...toChannel(values), ...ringOf(values) };
    const id = addedId.current;
    if (id !== undefined) {
      const keys = values.keyUse === 'ring' ? { key_mode: 'replace' as const } : {};
      await freshly(() => edit.mutateAsync({ ...channel, ...keys, id }));
      return id;
    }
    const { ids } = await freshly(() => add.mutateAsync({ ...channel, mode: MODES[values.keyUse] }));
    toast('success', t('channels.done.added'));
    const [added = 0] = ids;
    if (values.keyUse !== 'batch') addedId.current = added;
    return added;
  };

  const { form, row, drawerProps } = useEditDrawer({
    id: edited,
    texts: 'channels',
    load: channelQuery,
    schema: useCallback(
      (_channel: Channel | undefined) => channelSchema(t, isNewChannel, types, presets),
      [t, isNewChannel, types, presets],
    ),
    initial: NEW_CHANNEL,
    toValues,
    create: async (values, shown) => {
      if (!(await isAddressMeant(values, shown))) return false;
      await prices.store();
      return finish({ id: await create(values) }, values, shown);
    },
    save: async (channel, values, shown) => {
      if (!(await isAddressMeant(values, shown))) return false;
      await prices.store();
      await freshly(() =>
        edit.mutateAsync({
          ...toChannel(values, channel.settings),
          ...ringOf(values),
          ...(values.keyUse === 'ring' ? { key_mode: values.keyMode } : {}),
          id: channel.id,
        }),
      );
      toast('success', t('channels.done.saved'));
      return finish(channel, values, shown);
    },
    onClose: close,
    saveLabel: t('channels.form.save'),
  });
  const [key, keyUse, models] = useWatch({ control: form.control, name: ['key', 'keyUse', 'models'] });
  const prices = useFormPrices(models);
  const tests = isTested({ key, keyUse });

  return (
    <FormDrawer
      {...drawerProps}
      explanation={row?.name}
      submitLabel={tests ? t('channels.saveTest.save') : drawerProps.submitLabel}
      closeLabel={testing.failed === undefined ? undefined : t('common.close')}
      aside={
        <FormControlLabel
          label={t('channels.saveTest.switch')}
          sx={{ mr: 'auto', '& .MuiTypography-root': { fontSize: 13 } }}
          control={
            <Switch
              checked={tests}
              disabled={keyUse === 'batch'}
              onChange={(_event, on) => setTestWish(on)}
            />
          }
        />
      }
      notice={
        testing.failed !== undefined && (
          <TestFailure
            failed={testing.failed}
            models={models}
            isBusy={testing.isBusy}
            onModel={testing.chooseModel}
            onAgain={() => void testing.again()}
            onSwitchOff={testing.switchOff}
          />
        )
      }
    >
      <ChannelFields form={form} types={types} presets={presets} channel={row} prices={prices} />
    </FormDrawer>
  );
}
