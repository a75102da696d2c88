import Autocomplete from '@mui/material/Autocomplete';
import Button from '@mui/material/Button';
import MuiTextField from '@mui/material/TextField';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { PlainForm } from '../../shared/form/plain-form';
import { browserZone } from '../../shared/format/zone';
import { Section } from '../../shared/page/section';
import type { Self } from '../../shared/session/self';
import { readAccountSetting } from '../../shared/session/setting';
import { useChangeSetting } from './api';

/** In which time zone the account reads days: the browser's is proposed until one is chosen. */
export function TimeZoneForm({ self }: { self: Self }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeSetting('inline');
  const own = readAccountSetting(self.setting).time_zone;
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const zones = useMemo(
    () => [...new Set(['UTC', browserZone(), ...Intl.supportedValuesOf('timeZone')])],
    [],
  );
  const value = chosen ?? (own === '' ? browserZone() : own);
  const submit = async (): Promise<void> => {
    try {
      await change.mutateAsync({ time_zone: value });
    } catch {
      return; // shown below the field
    }
    setChosen(undefined);
    toast('success', t('personal.zone.saved'));
  };
  return (
    <Section title={t('personal.zone.title')} explanation={t('personal.zone.help')}>
      <PlainForm
        onSubmit={(event) => {
          event?.preventDefault();
          return submit();
        }}
      >
        <Autocomplete
          disableClearable
          options={zones.includes(value) ? zones : [value, ...zones]}
          value={value}
          onChange={(_event, next) => setChosen(next)}
          renderInput={(parameters) => (
            <MuiTextField
              {...parameters}
              label={t('personal.zone.label')}
              error={change.isError}
              helperText={
                change.isError
                  ? errorText(change.error)
                  : own === ''
                    ? t('personal.zone.ofBrowser')
                    : undefined
              }
            />
          )}
        />
        <div>
          <Button type="submit" variant="outlined" loading={change.isPending}>
            {t('common.save')}
          </Button>
        </div>
      </PlainForm>
    </Section>
  );
}
