import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { JsonField } from '../../shared/form/json-field';
import { NumberField } from '../../shared/form/number-field';
import { QuotaField } from '../../shared/money/quota-field';
import { SelectField } from '../../shared/form/select-field';
import { SwitchField } from '../../shared/form/switch-field';
import { TextField } from '../../shared/form/text-field';
import type { OptionField } from './option-field-types';
import { DomainListField } from './domain-list-field';
import { choiceText, useOptionText } from './option-text';
import type { OptionValues } from './option-values';
import { MarkupField } from './markup-field';
import { ModulesField } from './modules-field';
import { RowsField } from './rows-field';
import { SecretOptionField } from './secret-option-field';
import { CheckboxGroupField } from './checkbox-group-field';

interface OptionInputProps {
  field: OptionField;
  control: Control<OptionValues>;
  disabled: boolean;
  /** Every word its value can hold, where there are such. */
  choices: readonly string[];
  /** True when the server holds a value of this secret, which it does not send. */
  isSet: boolean;
  /** True for readers who may not change it. */
  isReadOnly: boolean;
}

const BLOCK_LINES = 4;

/** The input an option's kind asks for. */
export function OptionInput({
  field,
  control,
  disabled: isOff,
  choices,
  isSet,
  isReadOnly,
}: OptionInputProps) {
  const { t } = useTranslation();
  const { label, help } = useOptionText(field.id);
  const unitText = ({ unit }: OptionField) =>
    unit === undefined || unit === 'quota' ? undefined : t(`settings.unit.${unit}`);
  const disabled = isOff || isReadOnly;
  const common = { control, name: field.id, label, help, disabled };
  if (field.kind === 'secret' || (isReadOnly && isSet))
    return <SecretOptionField {...common} isSet={isSet} isReadOnly={isReadOnly} />;
  switch (field.kind) {
    case 'flag':
      return <SwitchField {...common} />;
    case 'integer':
    case 'number':
      if (field.unit === 'quota') return <QuotaField {...common} />;
      return (
        <NumberField
          {...common}
          min={field.min}
          max={field.max}
          step={field.kind === 'integer' ? 1 : 0.1}
          unit={unitText(field)}
        />
      );
    case 'json':
      return <JsonField {...common} example={field.example} />;
    case 'rows':
      return <RowsField {...common} rows={field.rows ?? 'faq'} />;
    case 'modules':
      return <ModulesField {...common} modules={field.modules ?? 'header'} />;
    case 'block':
      return <MarkupField {...common} />;
    case 'lines':
      return <TextField {...common} lines={BLOCK_LINES} mono />;
    case 'choice':
      return (
        <SelectField
          {...common}
          options={choices.map((value) => ({
            value,
            label: field.words === undefined ? value : choiceText(field.words, value),
          }))}
        />
      );
    case 'rules':
      // Rules without a tick are stored, so that a rule of the next version is on.
      return <CheckboxGroupField {...common} choices={choices} texts="alertRule" isInverted />;
    case 'sections':
      return <CheckboxGroupField {...common} choices={choices} texts="administratorSection" />;
    case 'domains':
      return <DomainListField {...common} />;
    case 'text':
    case 'address':
    case 'endpoint':
      return <TextField {...common} />;
  }
}
