import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { useUnsavedGuard } from '../../shared/form/use-unsaved-guard';
import { Section } from '../../shared/page/section';
import { useSaveOptions, type OptionTexts } from './api';
import type { OptionField, SectionId } from './catalogue';
import { OptionInput } from './option-field';
import { changesOf, optionsSchema, readOptions, type OptionValues } from './option-values';

interface OptionSectionProps {
  section: SectionId;
  fields: readonly OptionField[];
  texts: OptionTexts;
}

/** Options that belong together, saved together; only what changed is sent. */
export function OptionSection({ section, fields, texts }: OptionSectionProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const confirm = useConfirm();
  const save = useSaveOptions();
  const stored = useMemo(() => readOptions(fields, texts), [fields, texts]);
  const schema = useMemo(() => optionsSchema(fields, t), [fields, t]);
  const form = useForm<OptionValues>({
    resolver: zodResolver(schema),
    // Another window's change arrives; what is being typed here stays.
    values: stored,
    resetOptions: { keepDirtyValues: true },
  });
  const values = useWatch({ control: form.control }) as OptionValues;
  const { isSubmitting, errors } = form.formState;
  const changes = changesOf(fields, { ...stored, ...values }, texts);
  useUnsavedGuard(changes.length > 0 && !isSubmitting);

  const submit = form.handleSubmit(
    async (wanted) => {
      const wantedChanges = changesOf(fields, wanted, texts);
      if (wantedChanges.length === 0) {
        toast('warning', t('settings.nothing'));
        return;
      }
      const question = questionFor(wantedChanges.map((change) => `${change.key}=${change.value}`));
      if (question !== undefined) {
        const yes = await confirm({
          title: t(`settings.confirm.${question}`),
          consequence: t(`settings.confirm.${question}Text`),
          action: t(`settings.confirm.${question}Action`),
          danger: true,
        });
        if (!yes) return;
      }
      const { saved, failed } = await save.mutateAsync(wantedChanges);
      for (const field of fields) {
        const reason = failed.get(field.key);
        if (reason !== undefined) form.setError(field.id, { message: errorText(reason) });
        else if (saved.includes(field.key)) form.resetField(field.id, { defaultValue: wanted[field.id] });
      }
      if (failed.size === 0) toast('success', t('settings.saved'));
      else toast('error', t(saved.length > 0 ? 'settings.partly' : 'settings.failed'));
    },
    () => toast('error', t('settings.check')),
  );

  return (
    <Section title={t(`settings.section.${section}`)}>
      <Box
        component="form"
        noValidate
        onSubmit={(event) => void submit(event)}
        sx={{ display: 'grid', gap: 2.5, maxWidth: 720 }}
      >
        {fields.map((field) => (
          <OptionInput
            key={field.id}
            field={field}
            control={form.control}
            disabled={field.needs !== undefined && values[field.needs] !== true && field.needs in values}
          />
        ))}
        {errors.root?.message !== undefined && <Alert severity="error">{errors.root.message}</Alert>}
        <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
          <Button
            type="submit"
            variant={changes.length > 0 ? 'contained' : 'outlined'}
            loading={isSubmitting}
          >
            {t('settings.save')}
          </Button>
          {changes.length > 0 && (
            <>
              <Button color="inherit" onClick={() => form.reset(stored)}>
                {t('settings.undo')}
              </Button>
              <Typography variant="body2" color="textSecondary" role="status">
                {t('settings.unsavedCount', { count: changes.length })}
              </Typography>
            </>
          )}
        </Box>
      </Box>
    </Section>
  );
}

/** Changes that deserve a second thought (specification). */
function questionFor(changes: readonly string[]): 'unit' | 'password' | undefined {
  if (changes.some((change) => change.startsWith('QuotaPerUnit='))) return 'unit';
  return changes.includes('PasswordLoginEnabled=false') ? 'password' : undefined;
}
