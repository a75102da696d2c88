import MenuRounded from '@mui/icons-material/MenuRounded';
import SearchRounded from '@mui/icons-material/SearchRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useLocation } from 'react-router';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Mark } from '../../shared/page/mark';
import { useCurrentUser } from '../../api/current-user';
import { EnvironmentBadge } from './environment-badge';
import { FestiveButton } from './festive-button';
import { LanguageMenu } from './language-menu';
import { useSiteLinks } from './site-links';
import { SiteMenu } from './site-menu';
import { ThemeMenu } from './theme-menu';
import { useMayRegister } from './use-may-register';

const NoticeBell = lazyPart(async () => (await import('./signed-in-parts')).NoticeBell);
const AccountMenu = lazyPart(async () => (await import('./signed-in-parts')).AccountMenu);

interface TopBarProps {
  /** Opens the sidebar as a sheet; absent where there is none. */
  onOpenSheet?: () => void;
  onOpenPalette?: () => void;
  onOpenNotices?: () => void;
}

export function TopBar({ onOpenSheet, onOpenPalette, onOpenNotices }: TopBarProps) {
  const { t } = useTranslation();
  const user = useCurrentUser();
  const links = useSiteLinks();
  const { pathname } = useLocation();
  const settingUp = pathname === '/setup';
  return (
    <Box component="header" sx={BAR}>
      {onOpenSheet !== undefined && (
        <IconButton aria-label={t('shell.openNavigation')} onClick={onOpenSheet} edge="start" size="small">
          <MenuRounded />
        </IconButton>
      )}
      <Mark />
      <EnvironmentBadge />
      {/* Phones of people who are signed in have the sheet, which holds the same links. */}
      {!settingUp && onOpenSheet === undefined && (
        <Box sx={{ display: { xs: 'block', md: 'none' } }}>
          <SiteMenu />
        </Box>
      )}
      {!settingUp && (
        <Box
          component="nav"
          aria-label={t('shell.site')}
          sx={{ display: { xs: 'none', md: 'flex' }, gap: 0.25, ml: 2 }}
        >
          {links.map(({ id, label, to, href }) =>
            href === undefined ? (
              <TopLink key={id} to={to} label={label} end={to === '/'} />
            ) : (
              <Button key={id} color="inherit" size="small" href={href} target="_blank" rel="noreferrer">
                {label}
              </Button>
            ),
          )}
        </Box>
      )}
      <Box sx={{ ml: 'auto', display: 'flex', alignItems: 'center', gap: { xs: 0.25, sm: 0.75 } }}>
        <FestiveButton />
        {onOpenPalette !== undefined && <PaletteButton onOpen={onOpenPalette} />}
        {user !== null && onOpenNotices !== undefined && (
          <Suspense fallback={null}>
            <NoticeBell onOpen={onOpenNotices} />
          </Suspense>
        )}
        <LanguageMenu />
        <ThemeMenu />
        {user !== null && (
          <Suspense fallback={null}>
            <AccountMenu user={user} />
          </Suspense>
        )}
        {user === null && !settingUp && <SignInLinks />}
      </Box>
    </Box>
  );
}

function TopLink({ to, label, end }: { to: string; label: string; end?: boolean }) {
  return (
    <Button
      component={NavLink}
      to={to}
      end={end}
      color="inherit"
      size="small"
      sx={{ color: 'text.secondary', '&.active': { color: 'text.primary' } }}
    >
      {label}
    </Button>
  );
}

function SignInLinks() {
  const { t } = useTranslation();
  const mayRegister = useMayRegister();
  return (
    <>
      <Button component={Link} to="/login" color="inherit" size="small">
        {t('shell.link.login')}
      </Button>
      {mayRegister && (
        <Button
          component={Link}
          to="/register"
          variant="contained"
          size="small"
          sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
        >
          {t('shell.link.register')}
        </Button>
      )}
    </>
  );
}

function PaletteButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';
  return (
    <ButtonBase
      onClick={onOpen}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      sx={{
        gap: 1,
        height: 34,
        px: 1.25,
        borderRadius: '8px',
        border: { xs: 0, sm: 1 },
        borderColor: { xs: 'transparent', sm: 'divider' },
        color: 'text.secondary',
        '&:hover': { bgcolor: 'action.hover' },
      }}
    >
      <SearchRounded sx={{ fontSize: 18 }} titleAccess={t('shell.palette.open')} />
      <Typography
        variant="body2"
        sx={{ display: { xs: 'none', lg: 'inline' }, minWidth: 96, textAlign: 'left' }}
      >
        {t('shell.palette.hint')}
      </Typography>
      <Box
        component="kbd"
        sx={{ display: { xs: 'none', sm: 'inline' }, fontFamily: 'inherit', fontSize: 11.5, fontWeight: 500 }}
      >
        {shortcut}
      </Box>
    </ButtonBase>
  );
}

const BAR = {
  position: 'sticky',
  top: 0,
  zIndex: 1100,
  display: 'flex',
  alignItems: 'center',
  gap: 1,
  height: 56,
  px: { xs: 1.5, sm: 2.5 },
  bgcolor: 'background.paper',
  borderBottom: 1,
  borderColor: 'divider',
} as const;
