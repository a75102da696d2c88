import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { useCurrentUser } from '../../api/current-user';
import { useStored } from '../../shared/browser/use-stored';
import { GO_KEYS, type GoKey, mayGo, storedSingleKeys } from './shortcuts';

function Key({ children }: { children: ReactNode }) {
  return (
    <Box
      component="kbd"
      sx={{
        fontFamily: MONO,
        fontSize: 12,
        border: 1,
        borderColor: 'divider',
        borderRadius: '4px',
        px: 0.75,
      }}
    >
      {children}
    </Box>
  );
}

/** Keys of the console and what each does. */
export function ShortcutList() {
  const { t } = useTranslation();
  const role = useCurrentUser()?.role ?? 0;
  const singleKeys = useStored(storedSingleKeys);
  const rows: readonly (readonly [id: string, keys: readonly string[], text: string])[] = [
    ['palette', ['Ctrl K'], t('palette.shortcuts.palette')],
    ['search', ['/'], t('palette.shortcuts.search')],
    ['save', ['Ctrl Enter'], t('palette.shortcuts.save')],
    ['help', ['?'], t('palette.shortcuts.help')],
    ...(Object.keys(GO_KEYS) as GoKey[])
      .filter((key) => mayGo(key, role))
      .map(
        (key) =>
          [
            key,
            ['g', key],
            t('palette.shortcuts.go', { page: t(`shell.nav.${GO_KEYS[key].page}`) }),
          ] as const,
      ),
  ];
  return (
    <Box sx={{ p: 3 }}>
      <Typography component="h2" variant="h6" sx={{ mb: 1.5 }}>
        {t('palette.shortcuts.title')}
      </Typography>
      <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: 1, m: 0 }}>
        {rows.map(([id, keys, text]) => (
          <Fragment key={id}>
            <Box component="dt" sx={{ display: 'flex', gap: 0.5, alignItems: 'center' }}>
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </Box>
            <Typography component="dd" sx={{ m: 0 }}>
              {text}
            </Typography>
          </Fragment>
        ))}
      </Box>
      <FormControlLabel
        sx={{ mt: 2 }}
        control={
          <Switch
            checked={singleKeys === 'on'}
            onChange={(event) => storedSingleKeys.write(event.target.checked ? 'on' : 'off')}
          />
        }
        label={t('palette.shortcuts.single')}
      />
    </Box>
  );
}
