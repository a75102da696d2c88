import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { optionsToLookAtQuery } from './api';

/** Stored values that work as they did and would be refused if they were saved today. */
export function OptionsToLookAt() {
  const { t } = useTranslation();
  const { data = [] } = useQuery(optionsToLookAtQuery);
  if (data.length === 0) return null;
  return (
    <Alert severity="warning" sx={{ mb: 2.5 }}>
      <AlertTitle>{t('settings.needsLook.title', { count: data.length })}</AlertTitle>
      {t('settings.needsLook.text')}
      <Box component="ul" sx={{ pl: 2.5, mb: 0 }}>
        {data.map(({ key, reason }) => (
          <li key={key}>
            <Box component="span" sx={{ fontFamily: MONO, fontSize: 12.5 }}>
              {key}
            </Box>
            {': '}
            {reason}
          </li>
        ))}
      </Box>
    </Alert>
  );
}
