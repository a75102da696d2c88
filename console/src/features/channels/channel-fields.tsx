import Box from '@mui/material/Box';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../shared/dialog/manual-copy';
import { toast } from '../../shared/feedback/toast';
import { FormSection } from '../../shared/form/form-section';
import { JsonField } from '../../shared/form/json-field';
import { NumberField } from '../../shared/form/number-field';
import { SelectField } from '../../shared/form/select-field';
import { SwitchField } from '../../shared/form/switch-field';
import { TagField } from '../../shared/form/tag-field';
import { SecretField, TextField } from '../../shared/form/text-field';
import { groupsQuery } from '../../shared/session/reference-lists';
import { knownModelsQuery, typeModelsQuery, useFetchModels } from './api';
import type { ChannelValues } from './channel.schema';
import { CHANNEL_TYPES, channelType } from './channel.types';

interface ChannelFieldsProps {
  form: UseFormReturn<ChannelValues>;
  /** Absent for a new channel. */
  channelId?: number;
}

/** The inputs of a channel, the same for adding and editing. */
export function ChannelFields({ form, channelId }: ChannelFieldsProps) {
  const { t } = useTranslation();
  const { control } = form;
  const [typeCode, batch] = useWatch({ control, name: ['type', 'batch'] });
  const type = channelType(Number(typeCode));
  const isNew = channelId === undefined;
  const groups = useQuery(groupsQuery);
  const options = CHANNEL_TYPES.map((each) => ({
    value: String(each.code),
    label: each.name,
    note: hostOf(each.address),
  }));
  if (type === undefined)
    options.push({ value: typeCode, label: t('channels.type.unknown', { type: typeCode }), note: '' });
  const addressHelp =
    type?.fullAddress === true
      ? t('channels.form.baseUrlFull')
      : type?.address === undefined
        ? t('channels.form.baseUrlNeeded')
        : t('channels.form.baseUrlHelp', { address: type.address });
  const keyHelp = t(isNew ? 'channels.form.keyHelp' : 'channels.form.keyEditHelp');
  return (
    <>
      <FormSection title={t('channels.form.basics')}>
        <SelectField control={control} name="type" label={t('channels.form.type')} options={options} />
        <TextField
          control={control}
          name="name"
          label={t('channels.form.name')}
          help={t('channels.form.nameHelp')}
          required
        />
        <TextField
          control={control}
          name="baseUrl"
          label={t('channels.form.baseUrl')}
          help={addressHelp}
          mono
        />
        {batch ? (
          <TextField
            control={control}
            name="key"
            label={t('channels.form.key')}
            help={keyHelp}
            lines={4}
            mono
            required
          />
        ) : (
          <SecretField
            control={control}
            name="key"
            label={t('channels.form.key')}
            help={keyHelp}
            required={isNew}
            mono
          />
        )}
        {isNew && <SwitchField control={control} name="batch" label={t('channels.form.batch')} />}
      </FormSection>
      <ModelsPart form={form} channelId={channelId} />
      <TagField
        control={control}
        name="groups"
        label={t('channels.form.groups')}
        help={t('channels.form.groupsHelp')}
        options={groups.data ?? ['default']}
        free
        required
      />
      <FormSection title={t('channels.form.routing')}>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <NumberField
            control={control}
            name="priority"
            label={t('channels.form.priority')}
            help={t('channels.form.priorityHelp')}
            min={-999}
          />
          <NumberField
            control={control}
            name="weight"
            label={t('channels.form.weight')}
            help={t('channels.form.weightHelp')}
            min={0}
          />
        </Box>
        <TextField
          control={control}
          name="tag"
          label={t('channels.form.tag')}
          help={t('channels.form.tagHelp')}
        />
        <SwitchField
          control={control}
          name="autoBan"
          label={t('channels.form.autoBan')}
          help={t('channels.form.autoBanHelp')}
        />
      </FormSection>
      <AdvancedPart form={form} showOrganization={typeCode === '1'} />
    </>
  );
}

function hostOf(address: string | undefined): string {
  return address === undefined ? '' : new URL(address).host;
}

function ModelsPart({ form, channelId }: ChannelFieldsProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const known = useQuery(knownModelsQuery);
  const usual = useQuery(typeModelsQuery);
  const fetchModels = useFetchModels();
  const [type, models] = useWatch({ control: form.control, name: ['type', 'models'] });
  const usualModels = usual.data?.[type] ?? [];
  const put = (names: readonly string[]) =>
    form.setValue('models', [...new Set([...models, ...names])], { shouldDirty: true, shouldValidate: true });

  const fetchFromProvider = () => {
    const { key, baseUrl, batch } = form.getValues();
    const firstKey = (batch ? key.split('\n')[0] : key)?.trim() ?? '';
    if (firstKey === '' && channelId === undefined) {
      form.setError('key', { message: t('channels.form.keyFirst') }, { shouldFocus: true });
      return;
    }
    const source =
      firstKey === '' && channelId !== undefined
        ? { id: channelId }
        : { base_url: baseUrl.trim(), type: Number(type), key: firstKey };
    fetchModels.mutate(source, {
      onSuccess: (names) => {
        put(names);
        if (names.length === 0) toast('info', t('channels.form.fetchedNone'));
        else toast('success', t('channels.form.fetched', { count: names.length }));
      },
    });
  };

  return (
    <Box sx={{ display: 'grid', gap: 0.75 }}>
      <TagField
        control={form.control}
        name="models"
        label={t('channels.form.models')}
        help={t('channels.form.modelsHelp')}
        placeholder={t('channels.form.modelsPlaceholder')}
        options={known.data ?? []}
        loading={known.isPending}
        duplicateText={t('channels.form.modelExists')}
        free
        mono
        required
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5 }}>
        <Button
          size="small"
          variant="outlined"
          color="inherit"
          loading={fetchModels.isPending}
          onClick={fetchFromProvider}
        >
          {t('channels.form.fetch')}
        </Button>
        {usualModels.length > 0 && (
          <Button size="small" variant="outlined" color="inherit" onClick={() => put(usualModels)}>
            {t('channels.form.fillType')}
          </Button>
        )}
        {models.length > 0 && (
          <>
            <Button size="small" color="inherit" onClick={() => void copy(models.join(','))}>
              {t('channels.form.copyModels')}
            </Button>
            <Button
              size="small"
              color="inherit"
              onClick={() => form.setValue('models', [], { shouldDirty: true })}
            >
              {t('channels.form.clearModels')}
            </Button>
          </>
        )}
      </Box>
    </Box>
  );
}

function AdvancedPart({
  form,
  showOrganization,
}: {
  form: UseFormReturn<ChannelValues>;
  showOrganization: boolean;
}) {
  const { t } = useTranslation();
  const { control } = form;
  const { errors } = form.formState;
  const wrong = [errors.modelMapping, errors.statusMapping, errors.paramOverride, errors.setting].some(
    (error) => error !== undefined,
  );
  const values = form.getValues();
  const used = [
    values.modelMapping,
    values.statusMapping,
    values.paramOverride,
    values.setting,
    values.testModel,
  ].some((text) => text !== '');
  return (
    <Accordion
      disableGutters
      variant="outlined"
      defaultExpanded={used}
      {...(wrong ? { expanded: true } : {})}
      sx={{ borderRadius: '8px', '&::before': { display: 'none' } }}
    >
      <AccordionSummary expandIcon={<ExpandMoreRounded />}>
        <Typography variant="h3" component="span">
          {t('channels.form.advanced')}
        </Typography>
      </AccordionSummary>
      <AccordionDetails sx={{ display: 'grid', gap: 2.5 }}>
        <TextField
          control={control}
          name="testModel"
          label={t('channels.form.testModel')}
          help={t('channels.form.testModelHelp')}
          mono
        />
        {showOrganization && (
          <TextField
            control={control}
            name="organization"
            label={t('channels.form.organization')}
            help={t('channels.form.organizationHelp')}
          />
        )}
        <JsonField
          control={control}
          name="modelMapping"
          label={t('channels.form.modelMapping')}
          help={t('channels.form.modelMappingHelp')}
          example={{ 'gpt-4o': 'gpt-4o-2024-11-20' }}
        />
        <JsonField
          control={control}
          name="statusMapping"
          label={t('channels.form.statusMapping')}
          help={t('channels.form.statusMappingHelp')}
          example={{ '400': '500' }}
        />
        <JsonField
          control={control}
          name="paramOverride"
          label={t('channels.form.paramOverride')}
          help={t('channels.form.paramOverrideHelp')}
          example={{ temperature: 0 }}
        />
        <JsonField
          control={control}
          name="setting"
          label={t('channels.form.setting')}
          help={t('channels.form.settingHelp')}
          example={{ proxy: 'socks5://127.0.0.1:1080' }}
        />
      </AccordionDetails>
    </Accordion>
  );
}
