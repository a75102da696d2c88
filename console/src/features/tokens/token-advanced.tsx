import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SwitchField } from '../../shared/form/switch-field';
import { TagField } from '../../shared/form/tag-field';
import type { TokenValues } from './token.schema';

/** Tags and end users of the calls of a token: most tokens need neither. */
export function TokenAdvanced({ form }: { form: UseFormReturn<TokenValues> }) {
  const { t } = useTranslation();
  const { control } = form;
  const { errors, defaultValues = {} } = form.formState;
  const [chosen, setChosen] = useState<boolean>();
  const isUsed = (defaultValues.tags ?? []).length > 0 || defaultValues.needsEndUser === true;
  return (
    <Accordion
      disableGutters
      variant="outlined"
      slotProps={{ transition: { unmountOnExit: true } }}
      expanded={errors.tags !== undefined || (chosen ?? isUsed)}
      onChange={(_event, isOpen) => setChosen(isOpen)}
      sx={{ borderRadius: '8px', '&::before': { display: 'none' } }}
    >
      <AccordionSummary expandIcon={<ExpandMoreRounded />}>
        <Typography variant="h3" component="span">
          {t('tokens.form.advanced')}
        </Typography>
      </AccordionSummary>
      <AccordionDetails sx={{ display: 'grid', gap: 2.5 }}>
        <TagField
          control={control}
          name="tags"
          label={t('tokens.form.tags')}
          help={t('tokens.form.tagsHelp')}
          options={[]}
          free
        />
        <SwitchField
          control={control}
          name="needsEndUser"
          label={t('tokens.form.needsEndUser')}
          help={t('tokens.form.needsEndUserHelp')}
        />
      </AccordionDetails>
    </Accordion>
  );
}
