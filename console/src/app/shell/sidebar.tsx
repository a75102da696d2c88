import ScienceOutlined from '@mui/icons-material/ScienceOutlined';
import KeyboardDoubleArrowLeftRounded from '@mui/icons-material/KeyboardDoubleArrowLeftRounded';
import KeyboardDoubleArrowRightRounded from '@mui/icons-material/KeyboardDoubleArrowRightRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../shared/feedback/tip';
import { useCurrentUser } from '../../api/current-user';
import { useChatLinks } from '../../shared/chat/chat-links';
import { type ShownModules, useShownModules } from '../../shared/session/modules';
import { type ShownLogs, useShownLogs } from '../../shared/session/status';
import { ChatMenu } from './chat-menu';
import { navigationFor } from './navigation';
import { Entry, LinkBox, type SidebarEntry } from './sidebar-entry';
import { useSiteLinks } from './site-links';
import { NARROW_PX, WIDE_PX } from './sidebar-width';

interface SidebarProps {
  collapsed: boolean;
  /** Absent on the phone's sheet. */
  onToggle?: () => void;
  onNavigate?: () => void;
}

export function Sidebar({ collapsed, onToggle, onNavigate }: SidebarProps) {
  const { t } = useTranslation();
  const role = useCurrentUser()?.role ?? 0;
  const onSheet = onToggle === undefined;
  const chats = useChatLinks();
  const shown = useShownLogs();
  const modules = useShownModules();
  const offered = chats === 'broken' || !modules.entry('/chat') ? [] : chats;
  return (
    <Box
      component="nav"
      aria-label={t('shell.navigation')}
      sx={{
        width: onSheet ? '100%' : collapsed ? NARROW_PX : WIDE_PX,
        flexShrink: 0,
        position: onSheet ? 'static' : 'sticky',
        top: 56,
        height: onSheet ? '100%' : 'calc(100dvh - 56px)',
        display: 'flex',
        flexDirection: 'column',
        borderRight: onSheet ? 0 : 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
        overflowY: 'auto',
        transition: 'width 120ms',
        p: 1,
      }}
    >
      {groupsOf({ role, shown, modules, withChats: offered.length > 0 }, t).map((group) => (
        <Box key={group.id} sx={{ mb: 1 }}>
          <Typography
            variant="overline"
            component="h2"
            color="textSecondary"
            sx={{
              px: 1.25,
              pt: 0.75,
              pb: 0.25,
              visibility: collapsed ? 'hidden' : 'visible',
              whiteSpace: 'nowrap',
            }}
          >
            {group.label}
          </Typography>
          <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 0.25 }}>
            {group.entries.map((entry) => (
              <Entry key={entry.id} entry={entry} collapsed={collapsed} onNavigate={onNavigate} />
            ))}
            {group.id === 'chat' && (
              <ChatMenu chats={offered} collapsed={collapsed} onNavigate={onNavigate} />
            )}
          </Box>
        </Box>
      ))}
      {onSheet && <SiteLinks onNavigate={onNavigate} />}
      {onToggle !== undefined && (
        <Tip title={collapsed ? t('shell.expand') : t('shell.collapse')} placement="right">
          <IconButton
            size="small"
            onClick={onToggle}
            aria-label={collapsed ? t('shell.expand') : t('shell.collapse')}
            aria-expanded={!collapsed}
            sx={{ mt: 'auto', alignSelf: collapsed ? 'center' : 'flex-end' }}
          >
            {collapsed ? (
              <KeyboardDoubleArrowRightRounded fontSize="small" />
            ) : (
              <KeyboardDoubleArrowLeftRounded fontSize="small" />
            )}
          </IconButton>
        </Tip>
      )}
    </Box>
  );
}

interface SidebarGroup {
  readonly id: string;
  readonly label: string;
  readonly entries: readonly SidebarEntry[];
}

interface Shown {
  readonly role: number;
  readonly shown: ShownLogs;
  readonly modules: ShownModules;
  readonly withChats: boolean;
}

/** Playground, and the pages of the console. */
function groupsOf({ role, shown, modules, withChats }: Shown, t: TFunction): SidebarGroup[] {
  const pages = navigationFor(role, shown, modules).map((group) => ({
    id: group.id,
    label: t(`shell.group.${group.id}`),
    entries: group.entries.map((entry) => ({ ...entry, label: t(`shell.nav.${entry.id}`) })),
  }));
  const entries = [
    { id: 'playground', path: '/playground', icon: <ScienceOutlined />, label: t('shell.nav.playground') },
  ].filter(({ path }) => modules.entry(path));
  return [{ id: 'chat', label: t('shell.group.chat'), entries }, ...pages].filter(
    (group) => group.entries.length > 0 || (group.id === 'chat' && withChats),
  );
}

/** On a phone the top bar has no room for them. */
function SiteLinks({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation();
  const links = useSiteLinks().filter(({ id }) => id !== 'console');
  return (
    <Box sx={{ mt: 'auto', pt: 1, borderTop: 1, borderColor: 'divider' }}>
      <Box component="ul" aria-label={t('shell.site')} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {links.map(({ id, label, to, href }) => (
          <li key={id}>
            <LinkBox to={to} href={href} onClick={onNavigate}>
              {label}
            </LinkBox>
          </li>
        ))}
      </Box>
    </Box>
  );
}
