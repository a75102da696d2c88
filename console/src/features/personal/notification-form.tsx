import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId, useMemo } from 'react';
import { Controller, useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import { currentLanguage } from '../../i18n';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { toast } from '../../shared/feedback/toast';
import { PlainForm } from '../../shared/form/plain-form';
import { useSubmit } from '../../shared/form/use-submit';
import { QuotaField } from '../../shared/money/quota-field';
import { SwitchField } from '../../shared/form/switch-field';
import { SecretField, TextField } from '../../shared/form/text-field';
import { useHumanCheck } from '../../shared/human-check/use-human-check';
import { CodeButton } from '../../shared/identity/code-button';
import { Section } from '../../shared/page/section';
import { useFreshly } from '../../shared/identity/step-up';
import type { Self } from '../../shared/session/self';
import { readAccountSetting, type AccountSetting } from '../../shared/session/setting';
import { useChangeSetting, useTestNotification, type SettingChange } from './api';
import { needsCode, notificationSchema, type NotificationValues } from './notification.schema';

/** Shown until the owner chooses another. */
const DEFAULT_THRESHOLD = 500_000;
/** Quota; their dollars follow from the settings. */
const PRESETS = [100_000, 500_000, 1_000_000, 5_000_000] as const;

/** When and how the owner is notified that the balance runs low. */
export function NotificationForm({ self }: { self: Self }) {
  const { t } = useTranslation();
  const freshly = useFreshly();
  const change = useChangeSetting('inline');
  const test = useTestNotification();
  const setting = useMemo(() => readAccountSetting(self.setting), [self.setting]);
  const provenEmails = useMemo(
    () => [self.email, setting.notification_email_verified ? setting.notification_email : ''],
    [self.email, setting],
  );
  const schema = useMemo(() => notificationSchema(t, provenEmails), [t, provenEmails]);
  const form = useForm<NotificationValues>({
    resolver: zodResolver(schema),
    values: valuesOf(setting),
    resetOptions: { keepDirtyValues: true },
  });
  const type = useWatch({ control: form.control, name: 'type' });
  const failure = form.formState.errors.root?.message;

  const submit = useSubmit(form, async (values) => {
    const language = currentLanguage();
    await freshly(() => change.mutateAsync({ ...changeOf(values, setting), language }));
    form.reset({ ...values, secret: '', clearSecret: false, code: '' });
    toast('success', t('personal.notify.saved'));
  });

  return (
    <Section title={t('personal.notify.title')} explanation={t('personal.notify.help')}>
      <PlainForm onSubmit={submit} gap={2.5} maxWidth={560}>
        <QuotaField
          control={form.control}
          name="threshold"
          label={t('personal.notify.threshold')}
          help={t('personal.notify.thresholdHelp')}
          presets={PRESETS}
        />
        <TypeChoice form={form} />
        {type === 'webhook' ? (
          <WebhookFields form={form} hasSecret={setting.webhook_secret_set} />
        ) : (
          <EmailFields form={form} accountEmail={self.email} provenEmails={provenEmails} />
        )}
        <FailureAlert failure={failure} />
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
          <Button type="submit" variant="contained" loading={form.formState.isSubmitting}>
            {t('common.save')}
          </Button>
          <Button
            variant="outlined"
            loading={test.isPending}
            disabled={form.formState.isDirty}
            onClick={() =>
              test.mutate(undefined, { onSuccess: () => toast('success', t('personal.notify.tested')) })
            }
          >
            {t('personal.notify.test')}
          </Button>
          {form.formState.isDirty && (
            <Typography variant="body2" color="textSecondary" sx={{ alignSelf: 'center' }}>
              {t('personal.notify.saveFirst')}
            </Typography>
          )}
        </Box>
      </PlainForm>
    </Section>
  );
}

interface PartProps {
  form: UseFormReturn<NotificationValues>;
}

function TypeChoice({ form }: PartProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div>
      <Typography id={id} variant="subtitle2">
        {t('personal.notify.type')}
      </Typography>
      <Controller
        control={form.control}
        name="type"
        render={({ field }) => (
          <RadioGroup row aria-labelledby={id} {...field}>
            <FormControlLabel
              value="email"
              control={<Radio size="small" />}
              label={t('personal.notify.email')}
            />
            <FormControlLabel
              value="webhook"
              control={<Radio size="small" />}
              label={t('personal.notify.webhook')}
            />
          </RadioGroup>
        )}
      />
    </div>
  );
}

function WebhookFields({ form, hasSecret }: PartProps & { hasSecret: boolean }) {
  const { t } = useTranslation();
  const clear = useWatch({ control: form.control, name: 'clearSecret' });
  return (
    <>
      <TextField
        control={form.control}
        name="url"
        label={t('personal.notify.url')}
        help={t('personal.notify.urlHelp')}
        placeholder="https://"
        autoComplete="url"
      />
      <SecretField
        control={form.control}
        name="secret"
        label={t('personal.notify.secret')}
        help={hasSecret ? t('personal.notify.secretSet') : t('personal.notify.secretHelp')}
        disabled={clear}
      />
      {hasSecret && (
        <SwitchField
          control={form.control}
          name="clearSecret"
          label={t('personal.notify.clearSecret')}
          help={t('personal.notify.clearSecretHelp')}
        />
      )}
    </>
  );
}

interface EmailFieldsProps extends PartProps {
  accountEmail: string;
  provenEmails: readonly string[];
}

function EmailFields({ form, accountEmail, provenEmails }: EmailFieldsProps) {
  const { t } = useTranslation();
  const check = useHumanCheck('bind');
  const email = useWatch({ control: form.control, name: 'email' }).trim();
  return (
    <>
      {accountEmail === '' && email === '' && <Alert severity="info">{t('personal.notify.noEmail')}</Alert>}
      <TextField
        control={form.control}
        name="email"
        label={t('personal.notify.address')}
        help={
          accountEmail === ''
            ? t('personal.notify.addressHelp')
            : t('personal.notify.addressDefault', { email: accountEmail })
        }
        autoComplete="email"
      />
      {needsCode(email, provenEmails) && (
        <>
          <TextField
            control={form.control}
            name="code"
            label={t('identity.code.label')}
            help={t('personal.notify.codeHelp')}
            autoComplete="one-time-code"
            end={
              <CodeButton
                purpose="notification"
                check={check}
                readAddress={async () =>
                  (await form.trigger('email')) ? form.getValues('email').trim() : undefined
                }
                onFailure={(message) => form.setError('email', { message })}
                onSent={() => form.setFocus('code')}
              />
            }
          />
          {check.widget}
        </>
      )}
    </>
  );
}

function valuesOf(setting: AccountSetting): NotificationValues {
  return {
    type: setting.notify_type,
    threshold: setting.quota_warning_threshold ?? DEFAULT_THRESHOLD,
    url: setting.webhook_url,
    secret: '',
    clearSecret: false,
    email: setting.notification_email,
    code: '',
  };
}

/** Values of the other type stay as they are. */
function changeOf(values: NotificationValues, setting: AccountSetting): SettingChange {
  const common = { notify_type: values.type, quota_warning_threshold: values.threshold };
  if (values.type === 'webhook') {
    return {
      ...common,
      webhook_url: values.url,
      ...(values.clearSecret ? { clear_webhook_secret: true } : {}),
      ...(!values.clearSecret && values.secret !== '' ? { webhook_secret: values.secret } : {}),
    };
  }
  return {
    ...common,
    // The code counts for the address beside it.
    ...(values.email === setting.notification_email && values.code === ''
      ? {}
      : { notification_email: values.email }),
    ...(values.code === '' ? {} : { notification_email_code: values.code }),
  };
}
