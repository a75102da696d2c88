import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useNavigation } from 'react-router';
import { loadTexts } from '../../i18n';
import { storedSidebar } from '../../shared/browser/stored';
import { useStored } from '../../shared/browser/use-stored';
import { useLeaveQuestion } from '../../shared/form/use-unsaved-guard';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { useCurrentUser } from '../../api/current-user';
import { useStatus } from '../../shared/session/status';
import { Footer } from './footer';
import { Notice } from './notice';
import { OfflineBar } from './offline-bar';
import { PauseBar } from './pause-bar';
import { NARROW_PX, WIDE_PX } from './sidebar-width';
import { TopBar } from './top-bar';
import { usePaletteKey } from '../palette/use-palette-key';

const Sidebar = lazyPart(async () => (await import('./signed-in-parts')).Sidebar);
const ShortcutKeys = lazyPart(async () => (await import('./signed-in-parts')).ShortcutKeys);
const NavigationSheet = lazyDialog(
  async () => (await import('./navigation-sheet')).NavigationSheet,
  ({ open }) => open,
);
const NoticeDialog = lazyDialog(
  async () => (await import('./notice-dialog')).NoticeDialog,
  ({ open }) => open,
);
const CommandPalette = lazyDialog(
  async () =>
    (await Promise.all([import('../palette/command-palette'), loadTexts('palette')]))[0].CommandPalette,
  ({ open }) => open,
);

/** Paths without a sidebar: the home page, set-up, and the sign-in pages. */
const BARE_PATHS = ['/', '/setup', '/login', '/register', '/reset', '/user/reset'];

/** Top bar, sidebar, page. */
export function Shell() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const user = useCurrentUser();
  const status = useStatus();
  const isPhone = useMediaQuery('(max-width:600px)');
  const choice = useStored(storedSidebar);
  const [sheetOpen, setSheetOpen] = useState(false);
  const [noticesOpen, setNoticesOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const togglePalette = useCallback(() => setPaletteOpen((isOpen) => !isOpen), []);
  usePaletteKey(user === null ? undefined : togglePalette);
  const loading = useNavigation().state === 'loading';
  useLeaveQuestion();

  const collapsed = choice === 'unset' ? status?.default_collapse_sidebar === true : choice === 'true';
  const isBare =
    BARE_PATHS.includes(pathname) || pathname.startsWith('/oauth/') || /^\/chat(?:\/|$)/.test(pathname);
  const withSidebar = user !== null && !isBare;

  return (
    <Box sx={{ minHeight: '100dvh', display: 'flex', flexDirection: 'column' }}>
      <Link href="#main" sx={SKIP_LINK}>
        {t('shell.skip')}
      </Link>
      <TopBar
        onOpenSheet={user !== null && isPhone ? () => setSheetOpen(true) : undefined}
        onOpenPalette={user === null ? undefined : () => setPaletteOpen(true)}
        onOpenNotices={() => setNoticesOpen(true)}
      />
      {loading && <Box role="progressbar" aria-label={t('common.loading')} sx={LOADING_BAR} />}
      <OfflineBar />
      <PauseBar />
      {pathname !== '/setup' && <Notice onRead={() => setNoticesOpen(true)} />}
      <Box sx={{ flex: 1, display: 'flex', minWidth: 0 }}>
        {withSidebar && !isPhone && (
          <Suspense fallback={<Box sx={{ width: collapsed ? NARROW_PX : WIDE_PX }} />}>
            <Sidebar
              collapsed={collapsed}
              onToggle={() => storedSidebar.write(collapsed ? 'false' : 'true')}
            />
          </Suspense>
        )}
        <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
          <Box
            component="main"
            id="main"
            tabIndex={-1}
            sx={{
              flex: 1,
              outline: 'none',
              width: '100%',
              maxWidth: isBare ? undefined : 1560,
              mx: 'auto',
              px: isBare ? 0 : { xs: 1.5, sm: 3 },
              py: isBare ? 0 : { xs: 2, sm: 3 },
            }}
          >
            <Suspense fallback={<Loading />}>
              <Outlet />
            </Suspense>
          </Box>
          <Footer />
        </Box>
      </Box>
      <NoticeDialog open={noticesOpen} onClose={() => setNoticesOpen(false)} />
      {user !== null && (
        <>
          {isPhone && <NavigationSheet open={sheetOpen} onClose={() => setSheetOpen(false)} />}
          <Suspense fallback={null}>
            <ShortcutKeys onPalette={togglePalette} />
          </Suspense>
          <CommandPalette open={paletteOpen} onOpenChange={setPaletteOpen} />
        </>
      )}
    </Box>
  );
}

const LOADING_BAR = {
  position: 'fixed',
  top: 0,
  left: 0,
  width: '25%',
  height: 2,
  zIndex: 1300,
  bgcolor: 'primary.main',
  animation: 'loading-bar 1.2s ease-in-out infinite alternate',
  '@keyframes loading-bar': { to: { transform: 'translateX(300%)' } },
} as const;

const SKIP_LINK = {
  position: 'absolute',
  left: 8,
  top: -60,
  zIndex: 1400,
  bgcolor: 'background.paper',
  px: 2,
  py: 1,
  borderRadius: '6px',
  '&:focus': { top: 8 },
} as const;
