import ExpandLessRounded from '@mui/icons-material/ExpandLessRounded';
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import ForumOutlined from '@mui/icons-material/ForumOutlined';
import Box from '@mui/material/Box';
import ListItemButton from '@mui/material/ListItemButton';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatLink } from '../../shared/chat/chat-links';
import { Entry } from './sidebar-entry';

/** More of them begin folded, so that the pages of the console stay in sight. */
const COLLAPSED_COUNT = 3;

interface ChatMenuProps {
  chats: readonly ChatLink[];
  collapsed: boolean;
  onNavigate?: () => void;
}

/** The chat pages an operator offers, in a submenu that opens and folds. */
export function ChatMenu({ chats, collapsed, onNavigate }: ChatMenuProps) {
  const { t } = useTranslation();
  const id = useId();
  const [choice, setChoice] = useState<boolean>();
  if (chats.length === 0) return null;
  const isOpen = choice ?? chats.length <= COLLAPSED_COUNT;
  const label = t('shell.chats');
  return (
    <li>
      <ListItemButton
        component="button"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={label}
        title={collapsed ? label : undefined}
        onClick={() => setChoice(!isOpen)}
        sx={{
          width: '100%',
          borderRadius: '8px',
          minHeight: 36,
          px: 1.25,
          py: 0.5,
          gap: 1.25,
          fontSize: 14,
          color: 'text.secondary',
          '& svg': { fontSize: 19 },
        }}
      >
        <ForumOutlined />
        {!collapsed && (
          <Box component="span" sx={{ flex: 1, textAlign: 'left' }}>
            {label}
          </Box>
        )}
        {!collapsed && (isOpen ? <ExpandLessRounded /> : <ExpandMoreRounded />)}
      </ListItemButton>
      {isOpen && (
        <Box
          component="ul"
          id={id}
          sx={{ listStyle: 'none', m: 0, p: 0, pl: collapsed ? 0 : 1.5, display: 'grid', gap: 0.25 }}
        >
          {chats.map(({ name }, index) => (
            <Entry
              key={`${index}-${name}`}
              entry={{ id: `chat-${index}`, path: `/chat/${index}`, icon: <ForumOutlined />, label: name }}
              collapsed={collapsed}
              onNavigate={onNavigate}
            />
          ))}
        </Box>
      )}
    </li>
  );
}
