import SearchRounded from '@mui/icons-material/SearchRounded';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import Link from '@mui/material/Link';
import OutlinedInput from '@mui/material/OutlinedInput';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { MONO } from '../../shared/format/mono';
import { describedSettings, findSettings } from './described-settings';
import type { OptionField } from './option-field-types';

/** Finds settings of every tab by label, help and option key. */
export function SettingsSearch({ fields }: { fields: readonly OptionField[] }) {
  const { t, i18n } = useTranslation();
  const [text, setText] = useState('');
  const entries = useMemo(() => describedSettings(fields, t, i18n.language), [fields, t, i18n.language]);
  const found = useMemo(() => findSettings(entries, text), [entries, text]);
  const isAsked = text.trim() !== '';
  return (
    <Box role="search" sx={{ mb: 2, maxWidth: 560 }}>
      <OutlinedInput
        fullWidth
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={t('settings.search')}
        inputProps={{ 'aria-label': t('settings.search') }}
        startAdornment={
          <InputAdornment position="start">
            <SearchRounded fontSize="small" aria-hidden />
          </InputAdornment>
        }
        sx={{ height: 36 }}
      />
      {isAsked && (
        <Paper variant="outlined" sx={{ mt: 1 }}>
          <Typography role="status" variant="body2" color="textSecondary" sx={{ px: 2, pt: 1.25 }}>
            {t('settings.found', { count: found.length })}
          </Typography>
          <Box component="ul" sx={{ listStyle: 'none', m: 0, px: 2, py: 1, display: 'grid', gap: 1 }}>
            {found.map((entry) => (
              <Box component="li" key={entry.key} sx={{ minWidth: 0 }}>
                <Link
                  component={RouterLink}
                  to={entry.path}
                  onClick={() => setText('')}
                  sx={{ display: 'inline-block', py: 0.25 }}
                >
                  {entry.label}
                </Link>
                <Typography variant="caption" color="textSecondary" component="div">
                  {t(`settings.tab.${entry.tab}`)} › {entry.heading} ·{' '}
                  <span style={{ fontFamily: MONO }}>{entry.key}</span>
                </Typography>
              </Box>
            ))}
          </Box>
        </Paper>
      )}
    </Box>
  );
}
