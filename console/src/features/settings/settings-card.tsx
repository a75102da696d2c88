import { zodResolver } from '@hookform/resolvers/zod';
import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import RemoveCircleOutlineRounded from '@mui/icons-material/RemoveCircleOutlineRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { providerName, PROVIDERS } from '../../shared/identity/providers';
import { ApiError } from '../../api/api-error';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { useConfirm } from '../../shared/dialog/confirm';
import { StatusTag } from '../../shared/feedback/status-tag';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { PlainForm } from '../../shared/form/plain-form';
import { useUnsavedGuard } from '../../shared/form/use-unsaved-guard';
import { Section } from '../../shared/page/section';
import { isRoot, useCurrentUser } from '../../api/current-user';
import {
  optionChoicesQuery,
  optionsToReadQuery,
  SECRET_IS_SET,
  useSaveOptions,
  type OptionChoices,
  type OptionTexts,
} from './api';
import { ReadOnlyNote } from './read-only-note';
import type { OptionField, OptionId, HeadingId } from './option-field-types';
import { OptionInput } from './option-field';
import { changesOf, optionsSchema, readOptions, type OptionValues } from './option-values';
import { hostOf, questionFor } from './risky-changes';
import { secretsOf } from './secret-addresses';
import { settingAnchor } from './settings-index';
import { ofSettingsTab } from './settings-place';

export interface SettingsCardProps {
  heading: HeadingId;
  fields: readonly OptionField[];
  texts: OptionTexts;
}

const NOTHING: ReadonlySet<string> = new Set();
const NO_CHOICES: OptionChoices = {};
const NONE: readonly string[] = [];
/** A field that was found stands below the top bar, with a mark. */
const FIELD = {
  display: 'grid',
  gap: 2.5,
  minWidth: 0,
  scrollMarginTop: 96,
  '&:target': { outline: 2, outlineColor: 'primary.main', outlineOffset: 6, borderRadius: '6px' },
} as const;

export type OptionsForm = UseFormReturn<OptionValues>;

interface FullProps extends SettingsCardProps {
  explanation?: string;
  /** The switch the whole form hangs on: its stored state stands beside the title. */
  mainSwitch?: OptionId;
  /** Shown under the title, before the fields. */
  lead?: ReactNode;
  /** Shown right after a field. */
  after?: Readonly<Partial<Record<OptionId, (form: OptionsForm) => ReactNode>>>;
  /** Under the form, outside of it, for root. @param unsaved  something here is typed and not saved */
  footer?: (unsaved: boolean) => ReactNode;
  /** May complete the values; undefined cancels the saving, whose reason is shown already. */
  beforeSave?: (wanted: OptionValues, form: OptionsForm) => Promise<OptionValues | undefined>;
}

/** Options that belong together, saved together; only what changed is sent. */
export function SettingsCard(props: FullProps) {
  const { heading, fields, texts, explanation, mainSwitch, lead, after, footer, beforeSave } = props;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const confirm = useConfirm();
  const save = useSaveOptions();
  const stored = useMemo(() => readOptions(fields, texts), [fields, texts]);
  const { data: toRead = NOTHING } = useQuery(optionsToReadQuery);
  const { data: choices = NO_CHOICES } = useQuery(optionChoicesQuery);
  const editable = useMemo(() => fields.filter(({ key }) => !toRead.has(key)), [fields, toRead]);
  const isEditable = editable.length > 0;
  const isOwner = isRoot(useCurrentUser());
  const schema = useMemo(() => optionsSchema(editable, t), [editable, t]);
  const form = useForm<OptionValues>({
    resolver: zodResolver(schema),
    // Another window's change arrives; what is being typed here stays.
    values: stored,
    resetOptions: { keepDirtyValues: true },
  });
  const values = useWatch({ control: form.control }) as OptionValues;
  const { isSubmitting, errors } = form.formState;
  const changes = changesOf(editable, { ...stored, ...values }, texts);
  useUnsavedGuard(changes.length > 0 && !isSubmitting, ofSettingsTab);

  const submit = form.handleSubmit(
    async (typed) => {
      const wanted = beforeSave === undefined ? typed : await beforeSave(typed, form);
      if (wanted === undefined) return;
      const wantedChanges = changesOf(editable, wanted, texts);
      if (wantedChanges.length === 0) {
        toast('warning', t('settings.nothing'));
        return;
      }
      const question = questionFor(wantedChanges, texts);
      if (question !== undefined) {
        const yes = await confirm({
          title: t(`settings.confirm.${question}`),
          consequence: t(`settings.confirm.${question}Text`, { host: hostOf(texts.ServerAddress) }),
          action: t(`settings.confirm.${question}Action`),
          danger: true,
        });
        if (!yes) return;
      }
      const { saved, failed, lost } = await save.mutateAsync(wantedChanges);
      for (const field of fields) {
        const reason = failed.get(field.key);
        if (reason !== undefined) form.setError(field.id, { message: errorText(reason) });
        else if (saved.includes(field.key))
          form.resetField(field.id, { defaultValue: field.kind === 'secret' ? '' : wanted[field.id] });
      }
      for (const { id } of secretsLeftBehind(fields, failed))
        form.setError(id, { message: t('settings.secret.retype') });
      for (const { provider, accounts } of lost)
        toast('warning', t('settings.lostBindings', { provider: nameOf(provider, t), count: accounts }));
      if (failed.size === 0) toast('success', t('settings.saved'));
      else toast('error', t(saved.length > 0 ? 'settings.partly' : 'settings.failed'));
    },
    () => toast('error', t('settings.check')),
  );

  return (
    <Section
      title={t(`settings.heading.${heading}`)}
      explanation={explanation}
      action={mainSwitch !== undefined && <SwitchState isOn={stored[mainSwitch] === true} />}
    >
      {lead}
      {!isEditable && <ReadOnlyNote />}
      <PlainForm onSubmit={submit} gap={2.5} maxWidth={720}>
        {fields.map((field) => (
          <Box key={field.id} id={settingAnchor(field.id)} sx={FIELD}>
            <OptionInput
              field={field}
              control={form.control}
              disabled={field.needs !== undefined && values[field.needs] !== true && field.needs in values}
              choices={choices[field.key] ?? NONE}
              isSet={texts[field.key] === SECRET_IS_SET}
              isReadOnly={toRead.has(field.key)}
            />
            {isEditable && after?.[field.id]?.(form)}
          </Box>
        ))}
        <FailureAlert failure={errors.root?.message} />
        {isEditable && (
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
        )}
      </PlainForm>
      {isOwner && footer?.(changes.length > 0)}
    </Section>
  );
}

/** Secrets that have to be typed again, or removed, before their address can be saved. */
function secretsLeftBehind(
  fields: readonly OptionField[],
  failed: ReadonlyMap<string, unknown>,
): readonly OptionField[] {
  const secrets = [...failed]
    .filter(([, error]) => error instanceof ApiError && error.code === 'option_secret_retype')
    .flatMap(([address]) => secretsOf(address));
  return fields.filter(({ key }) => secrets.includes(key));
}

function SwitchState({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation();
  return (
    <StatusTag
      tone={isOn ? 'ok' : 'neutral'}
      icon={isOn ? <CheckCircleOutlineRounded /> : <RemoveCircleOutlineRounded />}
    >
      {t(isOn ? 'settings.on' : 'settings.off')}
    </StatusTag>
  );
}

const nameOf = (provider: string, t: TFunction): string => {
  const known = PROVIDERS.find((one) => one === provider);
  return known === undefined ? provider : providerName(known, t);
};
