import Box from '@mui/material/Box';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../shared/feedback/toast';
import { Section } from '../../shared/page/section';
import type { Self } from '../../shared/session/self';
import { readAccountSetting } from '../../shared/session/setting';
import { useChangeSetting } from './api';

/** Consent of this account to calls of models without a price. */
export function PriceConsent({ self }: { self: Self }) {
  const { t } = useTranslation();
  const id = useId();
  const change = useChangeSetting();
  const accepted = change.isPending
    ? change.variables.accept_unset_model_ratio_model === true
    : readAccountSetting(self.setting).accept_unset_model_ratio_model;
  return (
    <Section title={t('personal.prices.title')}>
      <Box sx={{ display: 'flex', gap: 2, justifyContent: 'space-between' }}>
        <div>
          <Typography component="label" htmlFor={id} variant="subtitle2">
            {t('personal.prices.accept')}
          </Typography>
          <Typography id={`${id}-help`} variant="body2" color="textSecondary" sx={{ maxWidth: 640 }}>
            {t('personal.prices.acceptHelp')}
          </Typography>
        </div>
        <Switch
          id={id}
          checked={accepted}
          slotProps={{ input: { role: 'switch', 'aria-describedby': `${id}-help` } }}
          onChange={(_event, on) =>
            change.mutate(
              { accept_unset_model_ratio_model: on },
              { onSuccess: () => toast('success', t('personal.prices.saved')) },
            )
          }
        />
      </Box>
    </Section>
  );
}
