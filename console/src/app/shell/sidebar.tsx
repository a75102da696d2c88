import ScienceOutlined from '@mui/icons-material/ScienceOutlined';
import ForumOutlined from '@mui/icons-material/ForumOutlined';
import KeyboardDoubleArrowLeftRounded from '@mui/icons-material/KeyboardDoubleArrowLeftRounded';
import KeyboardDoubleArrowRightRounded from '@mui/icons-material/KeyboardDoubleArrowRightRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, useLocation } from 'react-router';
import { useCurrentUser } from '../../api/current-user';
import { type ChatLink, useChatLinks } from '../../shared/chat/chat-links';
import { type ShownLogs, useShownLogs } from '../../shared/session/status';
import { navigationFor } from './navigation';
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
      {groupsOf(role, shown, chats === 'broken' ? [] : chats, t).map((group) => (
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
          </Box>
        </Box>
      ))}
      {onToggle !== undefined && (
        <Tooltip title={collapsed ? t('shell.expand') : t('shell.collapse')} placement="right">
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
        </Tooltip>
      )}
    </Box>
  );
}

interface SidebarEntry {
  readonly id: string;
  readonly path: string;
  readonly icon: ReactNode;
  readonly label: string;
}

interface SidebarGroup {
  readonly id: string;
  readonly label: string;
  readonly entries: readonly SidebarEntry[];
}

/** Playground and the chat pages an operator offers, and the pages of the console. */
function groupsOf(role: number, shown: ShownLogs, chats: readonly ChatLink[], t: TFunction): SidebarGroup[] {
  const pages = navigationFor(role, shown).map((group) => ({
    id: group.id,
    label: t(`shell.group.${group.id}`),
    entries: group.entries.map((entry) => ({ ...entry, label: t(`shell.nav.${entry.id}`) })),
  }));
  const entries = [
    { id: 'playground', path: '/playground', icon: <ScienceOutlined />, label: t('playground.title') },
    ...chats.map(({ name }, index) => ({
      id: `chat-${index}`,
      path: `/chat/${index}`,
      icon: <ForumOutlined />,
      label: name,
    })),
  ];
  return [{ id: 'chat', label: t('shell.group.chat'), entries }, ...pages];
}

interface EntryProps {
  entry: SidebarEntry;
  collapsed: boolean;
  onNavigate?: () => void;
}

function Entry({ entry, collapsed, onNavigate }: EntryProps) {
  const { pathname } = useLocation();
  const current = pathname === entry.path || pathname.startsWith(`${entry.path}/`);
  const { label } = entry;
  const link = (
    <ListItemButton
      component={NavLink}
      to={entry.path}
      selected={current}
      aria-current={current ? 'page' : undefined}
      aria-label={collapsed ? label : undefined}
      onClick={onNavigate}
      sx={{
        borderRadius: '8px',
        minHeight: 36,
        px: 1.25,
        py: 0.5,
        gap: 1.25,
        color: current ? 'primary.main' : 'text.secondary',
        fontWeight: current ? 600 : 500,
        '&.Mui-selected': { bgcolor: 'soft.accent' },
        '&.Mui-selected:hover, &.Mui-selected.Mui-focusVisible': { bgcolor: 'soft.accent' },
        '&:hover': { color: current ? 'primary.main' : 'text.primary' },
        '& svg': { fontSize: 19 },
      }}
    >
      <ListItemIcon sx={{ minWidth: 0, color: 'inherit' }}>{entry.icon}</ListItemIcon>
      {!collapsed && (
        <Box
          component="span"
          sx={{ fontSize: 14, whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' }}
        >
          {label}
        </Box>
      )}
    </ListItemButton>
  );
  return (
    <li>
      {collapsed ? (
        <Tooltip title={label} placement="right">
          {link}
        </Tooltip>
      ) : (
        link
      )}
    </li>
  );
}
