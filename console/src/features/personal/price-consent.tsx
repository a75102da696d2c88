import Box from '@mui/material/Box';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { parseJson } from '../../shared/format/json';
import { toast } from '../../shared/feedback/toast';
import { Section } from '../../shared/page/section';
import type { Self } from '../../shared/session/self';
import { useChangeSetting } from './api';

/** Whether this account accepts calls to models that nobody priced. */
export function PriceConsent({ self }: { self: Self }) {
  const { t } = useTranslation();
  const id = useId();
  const change = useChangeSetting();
  const setting = readSetting(self.setting);
  const accepted = change.isPending
    ? change.variables['accept_unset_model_ratio_model'] === true
    : setting['accept_unset_model_ratio_model'] === true;
  return (
    <Section title={t('personal.prices.title')}>
      <Box sx={{ display: 'flex', gap: 2, justifyContent: 'space-between' }}>
        <div>
          <Typography component="label" htmlFor={id} variant="subtitle2">
            {t('personal.prices.accept')}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {t('personal.prices.acceptHelp')}
          </Typography>
        </div>
        <Switch
          id={id}
          checked={accepted}
          slotProps={{ input: { role: 'switch' } }}
          onChange={(_event, on) =>
            change.mutate(
              { ...setting, accept_unset_model_ratio_model: on },
              { onSuccess: () => toast('success', t('personal.prices.saved')) },
            )
          }
        />
      </Box>
    </Section>
  );
}

function readSetting(text: string): Record<string, unknown> {
  const value = text === '' ? {} : parseJson(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
