import { useColorScheme } from '@mui/material/styles';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ROLE } from '../../api/current-user';
import { changeLanguage, LANGUAGES } from '../../i18n';
import { useSignOut } from '../../shared/session/sign-out';
import type { PaletteEntry } from './palette-entry';
import { useChannelTests } from './use-channel-tests';

const MODES = ['light', 'dark', 'system'] as const;

/** Actions of a role that need no search. `onKeys` opens the list of keys. */
export function usePaletteActions(role: number, onKeys: () => void): readonly PaletteEntry[] {
  const { t } = useTranslation();
  const { setMode } = useColorScheme();
  const { mutate: signOut } = useSignOut();
  const { testAll } = useChannelTests();
  return useMemo(() => {
    const open = (id: string, label: string, path: string): PaletteEntry => ({
      id,
      kind: 'action',
      label,
      path,
    });
    const administrators: readonly PaletteEntry[] = [
      open('new-channel', t('palette.newChannel'), '/channel/add'),
      open('all-tokens', t('palette.allTokens'), '/user/tokens'),
      open('new-codes', t('palette.newCodes'), '/redemption?edit=new'),
      { id: 'test-all', kind: 'action', label: t('palette.testAll'), run: testAll, belongsTo: '/channel' },
    ];
    return [
      open('new-token', t('palette.newToken'), '/token?edit=new'),
      ...(role >= ROLE.administrator ? administrators : []),
      ...MODES.map((mode): PaletteEntry => ({
        id: `theme-${mode}`,
        kind: 'action',
        label: t('palette.theme', { name: t(`shell.theme.${mode}`) }),
        words: mode,
        run: () => setMode(mode),
      })),
      ...LANGUAGES.map(({ code, name }): PaletteEntry => ({
        id: `language-${code}`,
        kind: 'action',
        label: t('palette.language', { name }),
        words: code === 'zh' ? 'Chinese' : 'English 英文',
        run: () => void changeLanguage(code),
      })),
      { id: 'keys', kind: 'action', label: t('palette.showKeys'), words: '?', run: onKeys },
      {
        id: 'sign-out',
        kind: 'action',
        label: t('shell.signOut'),
        words: 'log out sign out 退出',
        run: () => signOut(),
      },
    ];
  }, [t, role, setMode, signOut, testAll, onKeys]);
}
