import Box from '@mui/material/Box';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import type { ReactNode } from 'react';
import { Tip } from '../../shared/feedback/tip';
import { Link, NavLink, useLocation } from 'react-router';

export interface SidebarEntry {
  readonly id: string;
  readonly path: string;
  readonly icon: ReactNode;
  readonly label: string;
}

export interface EntryProps {
  entry: SidebarEntry;
  collapsed: boolean;
  onNavigate?: () => void;
}

/** A page of the console in the sidebar; only its icon where that is narrow. */
export function Entry({ entry, collapsed, onNavigate }: EntryProps) {
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
        <Tip title={label} placement="right">
          {link}
        </Tip>
      ) : (
        link
      )}
    </li>
  );
}

interface LinkBoxProps {
  to?: string;
  href?: string;
  onClick?: () => void;
  children: ReactNode;
}

/** A link of the site, to a page here or to another place. */
export function LinkBox({ to, href, onClick, children }: LinkBoxProps) {
  const look = {
    borderRadius: '8px',
    minHeight: 36,
    px: 1.25,
    py: 0.5,
    fontSize: 14,
    color: 'text.secondary',
  };
  return to === undefined ? (
    <ListItemButton component="a" href={href} target="_blank" rel="noreferrer" onClick={onClick} sx={look}>
      {children}
    </ListItemButton>
  ) : (
    <ListItemButton component={Link} to={to} onClick={onClick} sx={look}>
      {children}
    </ListItemButton>
  );
}
