import TravelExploreRounded from '@mui/icons-material/TravelExploreRounded';
import Button from '@mui/material/Button';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { toast } from '../../shared/feedback/toast';
import { CallbackAddress } from './callback-address';
import { SettingsCard, type OptionsForm, type SettingsCardProps } from './settings-card';
import type { OptionValues } from './option-values';
import { useDiscoverOidc } from './provider.api';

const ENDPOINTS = ['oidcAuthorization', 'oidcToken', 'oidcUserInfo'] as const;
type EndpointValues = Record<(typeof ENDPOINTS)[number], string>;

/** OIDC: the discovery document fills the three endpoints, by a press or when a new address is saved. */
export function OidcCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  const discover = useDiscoverOidc();

  /** @returns undefined when it failed; the failure is shown */
  const endpointsOf = async (wellKnown: string): Promise<EndpointValues | undefined> => {
    if (!/^https?:\/\/\S+$/.test(wellKnown)) {
      toast('error', t('settings.oidc.badAddress'));
      return undefined;
    }
    try {
      const found = await discover.mutateAsync(wellKnown);
      return {
        oidcAuthorization: found.authorization_endpoint,
        oidcToken: found.token_endpoint,
        oidcUserInfo: found.user_info_endpoint,
      };
    } catch {
      // One sentence for every reason: it names the settings to check.
      toast('error', t('settings.oidc.failed'));
      return undefined;
    }
  };

  const fill = async (form: OptionsForm) => {
    const endpoints = await endpointsOf(String(form.getValues('oidcWellKnown')).trim());
    if (endpoints === undefined) return;
    for (const id of ENDPOINTS) form.setValue(id, endpoints[id], { shouldDirty: true, shouldValidate: true });
    toast('success', t('settings.oidc.filled'));
  };

  const beforeSave = async (typed: OptionValues, form: OptionsForm): Promise<OptionValues | undefined> => {
    const wellKnown = String(typed['oidcWellKnown']).trim();
    const { dirtyFields } = form.formState;
    const isNew = dirtyFields['oidcWellKnown'] === true && wellKnown !== '';
    // Endpoints typed by hand are meant.
    if (!isNew || ENDPOINTS.some((id) => dirtyFields[id] === true)) return typed;
    const endpoints = await endpointsOf(wellKnown);
    return endpoints === undefined ? undefined : { ...typed, ...endpoints };
  };

  return (
    <SettingsCard
      {...props}
      mainSwitch="oidcEnabled"
      explanation={t('settings.explain.oidc')}
      lead={<CallbackAddress path="/oauth/oidc" />}
      after={{
        oidcWellKnown: (form) => (
          <DiscoverButton form={form} isBusy={discover.isPending} onPress={() => void fill(form)} />
        ),
      }}
      beforeSave={beforeSave}
    />
  );
}

interface DiscoverButtonProps {
  form: OptionsForm;
  isBusy: boolean;
  onPress: () => void;
}

function DiscoverButton({ form, isBusy, onPress }: DiscoverButtonProps) {
  const { t } = useTranslation();
  const typed = String(useWatch({ control: form.control, name: 'oidcWellKnown' }) ?? '');
  return (
    <Button
      variant="outlined"
      startIcon={<TravelExploreRounded />}
      disabled={typed.trim() === ''}
      loading={isBusy}
      onClick={onPress}
      sx={{ justifySelf: 'start' }}
    >
      {t('settings.oidc.discover')}
    </Button>
  );
}
