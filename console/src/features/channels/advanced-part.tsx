import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../../shared/form/form-section';
import { JsonField } from '../../shared/form/json-field';
import { NumberField } from '../../shared/form/number-field';
import { SwitchField } from '../../shared/form/switch-field';
import { TextField } from '../../shared/form/text-field';
import { needsAddress } from './address-field';
import type { ChannelPreset, ChannelType } from './api';
import type { ChannelValues } from './channel.schema';
import { ConnectionPart } from './connection-part';
import { RoutingPart } from './routing-part';

const OVERRIDE_EXAMPLE = {
  operations: [
    { mode: 'set', path: 'temperature', value: 0, keep_origin: true },
    {
      mode: 'delete',
      path: 'user',
      conditions: [{ path: 'original_model', mode: 'prefix', value: 'gpt-' }],
    },
  ],
};
const HEADER_EXAMPLE = { 'X-Team': 'blue', 'X-Trace-Id': '{client_header:X-Trace-Id}' };
const FLAGS = ['passThrough', 'forceFormat', 'thinkingToContent'] as const;
const FIELDS = [
  ...(['modelMapping', 'statusMapping', 'paramOverride', 'headerOverride', 'setting'] as const),
  ...(['testModel', 'proxy', 'systemPrompt', 'abandonedReadSeconds', 'remark'] as const),
] as const;
/** Fields of the parts above the editors that can be wrong. */
const OTHER_FIELDS = ['groups', 'priority', 'weight', 'tag', 'maxInputTokens'] as const;

interface AdvancedPartProps {
  form: UseFormReturn<ChannelValues>;
  /** Undefined = not chosen yet, or not known. */
  type: ChannelType | undefined;
  preset: ChannelPreset | undefined;
  isNew: boolean;
  /** The stored channel has several keys. */
  hasRing: boolean;
}

/** Fields that most channels leave alone: address, routing, mappings, overrides, proxy, instructions. */
export function AdvancedPart({ form, type, preset, isNew, hasRing }: AdvancedPartProps) {
  const { t } = useTranslation();
  const { control } = form;
  const { errors, defaultValues = {} } = form.formState;
  const [chosen, setChosen] = useState<boolean>();
  const isWrong =
    (errors.baseUrl !== undefined && !needsAddress(type, preset)) ||
    [...FIELDS, ...OTHER_FIELDS].some((name) => errors[name] !== undefined);
  const isUsed =
    FIELDS.some((name) => (defaultValues[name] ?? '') !== '') ||
    (defaultValues.maxInputTokens ?? 0) > 0 ||
    FLAGS.some((name) => defaultValues[name] === true) ||
    Object.values(defaultValues.vendor ?? {}).includes(true);
  return (
    <Accordion
      disableGutters
      variant="outlined"
      // Five editors are worth loading only for who opens them.
      slotProps={{ transition: { unmountOnExit: true } }}
      expanded={isWrong || (chosen ?? isUsed)}
      onChange={(_event, isOpen) => setChosen(isOpen)}
      sx={{ borderRadius: '8px', '&::before': { display: 'none' } }}
    >
      <AccordionSummary expandIcon={<ExpandMoreRounded />}>
        <Typography variant="h3" component="span">
          {t('channels.form.advanced')}
        </Typography>
      </AccordionSummary>
      <AccordionDetails sx={{ display: 'grid', gap: 2.5 }}>
        <ConnectionPart form={form} type={type} preset={preset} isNew={isNew} hasRing={hasRing} />
        <RoutingPart form={form} />
        <FormSection title={t('channels.form.requests')}>
          <TextField
            control={control}
            name="testModel"
            label={t('channels.form.testModel')}
            help={t('channels.form.testModelHelp')}
            mono
          />
          <TextField
            control={control}
            name="proxy"
            label={t('channels.form.proxy')}
            help={t('channels.form.proxyHelp')}
            placeholder="socks5://127.0.0.1:1080"
            mono
          />
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
            example={OVERRIDE_EXAMPLE}
          />
          <JsonField
            control={control}
            name="headerOverride"
            label={t('channels.form.headerOverride')}
            help={t('channels.form.headerOverrideHelp')}
            example={HEADER_EXAMPLE}
          />
          {FLAGS.map((name) => (
            <SwitchField
              key={name}
              control={control}
              name={name}
              label={t(`channels.form.${name}`)}
              help={t(`channels.form.${name}Help`)}
            />
          ))}
          <TextField
            control={control}
            name="systemPrompt"
            label={t('channels.form.systemPrompt')}
            help={t('channels.form.systemPromptHelp')}
            lines={2}
          />
          <SwitchField
            control={control}
            name="systemPromptOverride"
            label={t('channels.form.systemPromptOverride')}
            help={t('channels.form.systemPromptOverrideHelp')}
          />
          <TextField
            control={control}
            name="abandonedReadSeconds"
            label={t('channels.form.abandonedReadSeconds')}
            help={t('channels.form.abandonedReadSecondsHelp')}
          />
          <JsonField
            control={control}
            name="setting"
            label={t('channels.form.setting')}
            help={t('channels.form.settingHelp')}
          />
          <NumberField
            control={control}
            name="maxInputTokens"
            label={t('channels.form.maxInputTokens')}
            help={t('channels.form.maxInputTokensHelp')}
            min={0}
          />
          <TextField
            control={control}
            name="remark"
            label={t('channels.form.remark')}
            help={t('channels.form.remarkHelp')}
          />
        </FormSection>
      </AccordionDetails>
    </Accordion>
  );
}
