import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { PlainForm } from '../../shared/form/plain-form';
import { SelectField } from '../../shared/form/select-field';
import { SecretField, TextField } from '../../shared/form/text-field';
import { Section } from '../../shared/page/section';
import { useStatus } from '../../shared/session/status';
import { channelPresetsQuery, channelTypesQuery, typeModelsQuery, useFetchModels } from './api';
import { useChannelPresets } from './channel-presets';
import { NEW_CHANNEL, toChannel } from './channel.schema';
import { findType, isKeyOfFormat, useChannelTypes } from './channel.types';
import { type KeyVendor, keyVendors, vendorOfKey } from './key-vendors';
import { cheapestChat, isComplete, NO_PRICE, priceItems, type TypedPrice } from './start-prices';
import { useLookUpPrices } from './start.api';
import { useFirstAnswer } from './use-first-answer';
import { hostOf, VendorField } from './vendor-field';

/** Both are fetched when there is something to show in them. */
const StartModels = lazyPart(async () => (await import('./start-models')).StartModels);
const StartAnswer = lazyPart(async () => (await import('./start-answer')).StartAnswer);

interface StartValues {
  key: string;
  vendor: string;
  address: string;
  other: string;
  model: string;
  question: string;
}

const NO_PRICES: ReadonlyMap<string, TypedPrice> = new Map();
const NONE: ReadonlySet<string> = new Set();

/** Key, provider, models and prices, then the answer with its receipt. A key is recognised only once all vendors are loaded. */
export function StartForm() {
  const types = useQuery(channelTypesQuery);
  const presets = useQuery(channelPresetsQuery);
  return types.isPending || presets.isPending ? <Loading /> : <LoadedForm />;
}

function LoadedForm() {
  const { t } = useTranslation();
  const isSelfUse = useStatus()?.self_use_mode_enabled === true;
  const types = useChannelTypes();
  const vendors = keyVendors(types, useChannelPresets(), t('channels.type.custom'));
  const usual = useQuery(typeModelsQuery);
  const fetchModels = useFetchModels();
  const lookUp = useLookUpPrices();
  const { progress, isRunning, channelId, run } = useFirstAnswer();
  const form = useForm<StartValues>({
    defaultValues: {
      key: '',
      vendor: '',
      address: '',
      other: '',
      model: '',
      question: t('firstAnswer.questionDefault'),
    },
  });
  const [typed, setTyped] = useState(NO_PRICES);
  const [left, setLeft] = useState(NONE);
  const { control } = form;
  const [vendorId, address, model] = useWatch({ control, name: ['vendor', 'address', 'model'] });
  const vendor = vendors.find(({ id }) => id === vendorId);
  const type = vendor === undefined ? undefined : findType(types, vendor.type);
  const prices = lookUp.data?.prices;
  const maySet = lookUp.data?.maySet === true;

  const served = (prices ?? []).filter(
    (price) =>
      !left.has(price.model) &&
      (isSelfUse || price.is_priced || isComplete(price, typed.get(price.model) ?? NO_PRICE)),
  );
  const names = new Set(served.map((price) => price.model));
  const suggested = cheapestChat(served, names, typed) ?? served[0]?.model ?? '';
  const isChosen = form.formState.dirtyFields.model === true && names.has(model);
  const asked = isChosen ? model : suggested;
  useEffect(() => form.setValue('model', asked), [form, asked]);

  /** Models belong to the provider and key that they were read with. */
  const forgetModels = () => {
    lookUp.reset();
    fetchModels.reset();
    setTyped(NO_PRICES);
    setLeft(NONE);
  };
  const choose = (chosen: KeyVendor) => {
    forgetModels();
    form.clearErrors();
    form.setValue('address', chosen.address);
    const chosenType = findType(types, chosen.type);
    form.setValue('other', chosenType?.other === 'region' ? chosenType.other_example : '');
  };
  const recognise = (key: string) => {
    forgetModels();
    const found = vendorOfKey(vendors, key);
    if (found === undefined || found.id === form.getValues('vendor')) return;
    form.setValue('vendor', found.id);
    choose(found);
  };

  const usualModels = vendor?.preset?.models ?? usual.data?.[vendor?.type ?? 0] ?? [];
  /** A refusal is shown by the state of the two requests. */
  const readModels = async (read: () => Promise<readonly string[]>): Promise<void> => {
    try {
      await lookUp.mutateAsync(await read());
    } catch {
      // Both requests keep their failure.
    }
  };
  const findModels = form.handleSubmit(async (values) => {
    if (vendor === undefined)
      return form.setError('vendor', { message: t('channels.firstAnswer.error.provider') });
    if (values.key.trim() === '')
      return form.setError('key', { message: t('channels.firstAnswer.error.key') });
    if (type !== undefined && !isKeyOfFormat(type, values.key.trim(), {}))
      return form.setError('key', { message: t('channels.error.keyFormat', { example: type.key_example }) });
    if (!/^https?:\/\/\S+$/.test(values.address.trim()))
      return form.setError('address', { message: t('common.form.webAddress') });
    if (type?.needs_other === true && values.other.trim() === '')
      return form.setError('other', { message: t('channels.error.otherNeeded') });
    const source = {
      base_url: ownAddress(values.address, vendor),
      type: vendor.type,
      key: values.key.trim(),
      other: values.other.trim(),
      proxy: '',
    };
    await readModels(async () =>
      type?.lists_models === true ? fetchModels.mutateAsync(source) : usualModels,
    );
  });
  const start = form.handleSubmit((values) => {
    if (vendor === undefined || asked === '') return undefined;
    const channel = toChannel({
      ...NEW_CHANNEL,
      type: String(vendor.type),
      name: vendor.name,
      baseUrl: ownAddress(values.address, vendor),
      key: values.key,
      other: values.other,
      vendor: vendor.preset === undefined ? {} : { ...vendor.preset.paths, preset: vendor.preset.id },
      models: [...names],
    });
    const items = priceItems(
      served.filter(() => !isSelfUse),
      typed,
    );
    return run({ items, channel: { ...channel, mode: 'single' }, model: asked, question: values.question });
  });

  const hasStarted = progress.current !== undefined || progress.done.length > 0;
  const isFinding = fetchModels.isPending || lookUp.isPending;
  return (
    <Box sx={{ maxWidth: 820 }}>
      <PlainForm onSubmit={prices === undefined ? findModels : start}>
        <Section title={t('firstAnswer.keyTitle')} explanation={t('firstAnswer.keyHelp')}>
          <Box sx={{ display: 'grid', gap: 2 }}>
            <SecretField
              control={control}
              name="key"
              label={t('channels.form.key')}
              placeholder={vendor?.preset?.key_example ?? type?.key_example}
              disabled={isRunning}
              rules={{ onChange: (event: { target: { value: string } }) => recognise(event.target.value) }}
              autoFocus
              required
              mono
            />
            <VendorField
              control={control}
              name="vendor"
              label={t('firstAnswer.provider')}
              vendors={vendors}
              onChoose={choose}
              disabled={isRunning}
              required
            />
            {vendor !== undefined && (
              <TextField
                control={control}
                name="address"
                label={t('channels.form.baseUrl')}
                help={t('firstAnswer.addressHelp')}
                placeholder={vendor?.preset?.base_url_example ?? type?.base_url_example}
                rules={{ onChange: forgetModels }}
                disabled={isRunning}
                required
                mono
              />
            )}
            {type?.needs_other === true && type.other !== 'none' && (
              <TextField
                control={control}
                name="other"
                label={t(`channels.other.${type.other}`)}
                placeholder={type.other_example}
                disabled={isRunning}
                required
              />
            )}
            <FailureAlert failure={fetchModels.error ?? lookUp.error} />
            {prices === undefined && (
              <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
                <Button type="submit" variant="contained" loading={isFinding} disabled={vendor === undefined}>
                  {vendor === undefined || type?.lists_models !== true
                    ? t('firstAnswer.find')
                    : t('firstAnswer.findAt', { host: hostOf(address) })}
                </Button>
                {fetchModels.isError && usualModels.length > 0 && (
                  <Button color="inherit" onClick={() => void readModels(() => Promise.resolve(usualModels))}>
                    {t('channels.form.fillType')}
                  </Button>
                )}
              </Box>
            )}
          </Box>
        </Section>
        {prices !== undefined && prices.length === 0 && (
          <Alert severity="warning">{t('firstAnswer.noModels')}</Alert>
        )}
        {prices !== undefined && prices.length > 0 && (
          <Section
            title={t('firstAnswer.modelsTitle')}
            explanation={t('firstAnswer.modelsHelp', { count: names.size, all: prices.length })}
          >
            <Box sx={{ display: 'grid', gap: 2 }}>
              <Suspense fallback={null}>
                <StartModels
                  prices={prices}
                  isSelfUse={isSelfUse}
                  maySet={maySet}
                  typed={typed}
                  onType={setTyped}
                  left={left}
                  onLeave={setLeft}
                  isDisabled={isRunning}
                />
              </Suspense>
              {names.size > 0 && (
                <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 2fr' } }}>
                  <SelectField
                    control={control}
                    name="model"
                    label={t('firstAnswer.model')}
                    options={[...names].map((name) => ({ value: name, label: name }))}
                    disabled={isRunning}
                  />
                  <TextField
                    control={control}
                    name="question"
                    label={t('firstAnswer.question')}
                    disabled={isRunning}
                  />
                </Box>
              )}
              <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
                <Button type="submit" variant="contained" disabled={asked === ''} loading={isRunning}>
                  {t('firstAnswer.go')}
                </Button>
                <Typography variant="caption" color="textSecondary">
                  {t('firstAnswer.goHelp')}
                </Typography>
              </Box>
            </Box>
          </Section>
        )}
      </PlainForm>
      {hasStarted && (
        <Box sx={{ mt: 2 }}>
          <Section title={t('firstAnswer.answerTitle')}>
            <Suspense fallback={null}>
              <StartAnswer progress={progress} channelId={channelId} />
            </Suspense>
          </Section>
        </Box>
      )}
    </Box>
  );
}

/** The address that a channel stores: empty where the type stands for it already. */
function ownAddress(typed: string, vendor: KeyVendor): string {
  const address = typed.trim().replace(/\/+$/, '');
  return vendor.isTypeAddress && address === vendor.address.replace(/\/+$/, '') ? '' : address;
}
