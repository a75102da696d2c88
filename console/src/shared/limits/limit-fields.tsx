import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../form/number-field';
import { SelectField } from '../form/select-field';
import { SwitchField } from '../form/switch-field';
import { TextField } from '../form/text-field';
import { QuotaField } from '../money/quota-field';
import type { LimitScope } from './limits.api';
import {
  EACH_SCOPES,
  actionsOf,
  type LimitValues,
  MEASURES,
  OF_ACCOUNTS,
  PERIODS,
  WARN_PERCENTS,
} from './limit.schema';

interface LimitFieldsProps {
  form: UseFormReturn<LimitValues>;
  /** The calls that a limit counts are fixed when it is made. */
  isNew: boolean;
  /** The form does not ask for the target. */
  isTargetFixed: boolean;
  scopes: readonly LimitScope[];
}

/** The inputs of a limit: those that most limits need first. */
export function LimitFields({ form, isNew, isTargetFixed, scopes }: LimitFieldsProps) {
  const { t } = useTranslation();
  const { control } = form;
  const [measure, scope, action] = useWatch({ control, name: ['measure', 'scope', 'action'] });
  return (
    <>
      {isNew && !isTargetFixed && <TargetFields form={form} scopes={scopes} />}
      {isNew && (
        <SelectField
          control={control}
          name="measure"
          label={t('limits.form.measure')}
          options={MEASURES.map((value) => ({ value, label: t(`limits.measure.${value}`) }))}
        />
      )}
      {measure === 'quota' ? (
        <QuotaField control={control} name="amount" label={t('limits.form.amount')} />
      ) : (
        <NumberField control={control} name="amount" label={t('limits.form.amount')} min={0} />
      )}
      {isNew && measure !== 'in_flight' && (
        <SelectField
          control={control}
          name="period"
          label={t('limits.form.period')}
          options={PERIODS.map((value) => ({ value, label: t(`limits.period.${value}`) }))}
        />
      )}
      <WarnField form={form} />
      <Accordion
        disableGutters
        variant="outlined"
        slotProps={{ transition: { unmountOnExit: true } }}
        sx={{ borderRadius: '8px', '&::before': { display: 'none' } }}
      >
        <AccordionSummary expandIcon={<ExpandMoreRounded />}>
          <Typography variant="h3" component="span">
            {t('limits.form.more')}
          </Typography>
        </AccordionSummary>
        <AccordionDetails sx={{ display: 'grid', gap: 2.5 }}>
          <TextField
            control={control}
            name="name"
            label={t('limits.form.name')}
            help={t('limits.form.nameHelp')}
          />
          {isNew && (
            <TextField
              control={control}
              name="model"
              label={t('limits.form.model')}
              help={t('limits.form.modelHelp')}
              mono
            />
          )}
          {isNew && measure !== 'in_flight' && (
            <SwitchField
              control={control}
              name="rolling"
              label={t('limits.form.rolling')}
              help={t('limits.form.rollingHelp')}
            />
          )}
          <SelectField
            control={control}
            name="action"
            label={t('limits.form.action')}
            options={actionsOf(scope).map((value) => ({ value, label: t(`limits.atLimit.${value}`) }))}
          />
          {action === 'cheaper_model' && (
            <TextField
              control={control}
              name="fallbackModel"
              label={t('limits.form.fallbackModel')}
              help={t('limits.form.fallbackModelHelp')}
              mono
              required
            />
          )}
          <SwitchField
            control={control}
            name="admitUnknown"
            label={t('limits.form.admitUnknown')}
            help={t('limits.form.admitUnknownHelp')}
          />
        </AccordionDetails>
      </Accordion>
    </>
  );
}

function TargetFields({ form, scopes }: Pick<LimitFieldsProps, 'form' | 'scopes'>) {
  const { t } = useTranslation();
  const { control } = form;
  const [scope, each] = useWatch({ control, name: ['scope', 'each'] });
  return (
    <>
      <SelectField
        control={control}
        name="scope"
        label={t('limits.form.scope')}
        options={scopes.map((value) => ({ value, label: t(`limits.scope.${value}`) }))}
      />
      {EACH_SCOPES.has(scope) && (
        <SwitchField
          control={control}
          name="each"
          label={t(`limits.each.${scope}`)}
          help={t('limits.form.eachHelp')}
        />
      )}
      {scope !== 'everyone' && !(each && EACH_SCOPES.has(scope)) && (
        <TextField control={control} name="subject" label={t(`limits.subject.${scope}`)} required />
      )}
      {OF_ACCOUNTS.has(scope) && (
        <NumberField
          control={control}
          name="accountId"
          label={t('limits.form.accountId')}
          help={t('limits.form.accountIdHelp')}
          min={1}
        />
      )}
    </>
  );
}

/** Shares of the amount at which accounts are warned. */
function WarnField({ form }: Pick<LimitFieldsProps, 'form'>) {
  const { t } = useTranslation();
  return (
    <Controller
      control={form.control}
      name="warnAt"
      render={({ field }) => (
        <Box
          role="group"
          aria-label={t('limits.form.warnAt')}
          sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}
        >
          <Typography variant="subtitle2" component="span" sx={{ flexBasis: '100%' }}>
            {t('limits.form.warnAt')}
          </Typography>
          {[...new Set([...WARN_PERCENTS, ...field.value])]
            .toSorted((a, b) => Number(a) - Number(b))
            .map((percent) => (
              <FormControlLabel
                key={percent}
                label={`${percent} %`}
                control={
                  <Checkbox
                    checked={field.value.includes(percent)}
                    onChange={(_event, isOn) =>
                      field.onChange(
                        isOn ? [...field.value, percent] : field.value.filter((each) => each !== percent),
                      )
                    }
                  />
                }
              />
            ))}
        </Box>
      )}
    />
  );
}
