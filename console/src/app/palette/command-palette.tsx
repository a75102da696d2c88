import SearchRounded from '@mui/icons-material/SearchRounded';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import InputBase from '@mui/material/InputBase';
import Typography from '@mui/material/Typography';
import { useCallback, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCurrentUser } from '../../api/current-user';
import { MONO } from '../../shared/format/mono';
import type { PaletteEntry } from './palette-entry';
import { ShortcutList } from './shortcut-list';
import { usePaletteEntries } from './use-palette-entries';

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Opens any page, runs actions and finds what the account may read. use-palette-key.ts has its key, which works before this is loaded. */
export function CommandPalette({ open, onOpenChange }: CommandPaletteProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={() => onOpenChange(false)}
      slotProps={{ paper: { 'aria-label': t('palette.label') } }}
      fullWidth
      maxWidth="sm"
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start', pt: { xs: 0, sm: '10vh' } } }}
    >
      <PaletteBody onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const navigate = useNavigate();
  const role = useCurrentUser()?.role ?? 0;
  const [text, setText] = useState('');
  const [showsKeys, setShowsKeys] = useState(false);
  const entries = usePaletteEntries(
    text,
    role,
    useCallback(() => setShowsKeys(true), []),
  );
  const [position, setPosition] = useState(0);
  const current = Math.min(position, Math.max(0, entries.length - 1));
  const list = useRef<HTMLUListElement>(null);

  const go = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    // The list of keys takes the place of the entries; everything else closes the palette.
    if (entry.id !== 'keys') onClose();
    entry.run?.();
    if (entry.path !== undefined) void navigate(entry.path);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = (current + step + entries.length) % Math.max(1, entries.length);
      setPosition(next);
      list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      // Closing gives the focus back to what had it; the same key press must not act there too.
      event.preventDefault();
      go(entries[current]);
    }
  };

  if (showsKeys) return <ShortcutList />;
  return (
    <>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1.25,
          px: 2,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <SearchRounded aria-hidden sx={{ color: 'text.secondary' }} />
        <InputBase
          autoFocus
          fullWidth
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setPosition(0);
          }}
          onKeyDown={onKey}
          placeholder={t('palette.label')}
          inputProps={{
            role: 'combobox',
            'aria-label': t('palette.label'),
            'aria-expanded': true,
            'aria-controls': `${id}-list`,
            'aria-autocomplete': 'list',
            'aria-activedescendant':
              entries[current] === undefined ? undefined : `${id}-${entries[current].id}`,
          }}
          sx={{ height: 52, fontSize: 15 }}
        />
      </Box>
      <Box
        component="ul"
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={t('palette.results')}
        sx={{ listStyle: 'none', m: 0, p: 1, maxHeight: '50vh', overflowY: 'auto' }}
      >
        {entries.map((entry, index) => (
          <Box
            component="li"
            key={entry.id}
            id={`${id}-${entry.id}`}
            role="option"
            aria-selected={index === current}
            onClick={() => go(entry)}
            onMouseMove={() => setPosition(index)}
            sx={{
              display: 'flex',
              alignItems: 'center',
              gap: 2,
              px: 1.5,
              minHeight: 38,
              borderRadius: '8px',
              cursor: 'pointer',
              bgcolor: index === current ? 'soft.accent' : undefined,
            }}
          >
            <Typography noWrap sx={{ flex: 1 }}>
              {entry.label}
            </Typography>
            {entry.hint !== undefined && (
              <Typography
                noWrap
                variant="caption"
                color="textSecondary"
                sx={{ fontFamily: MONO, maxWidth: '40%' }}
              >
                {entry.hint}
              </Typography>
            )}
            <Typography variant="caption" color="textSecondary">
              {t(`palette.${entry.kind}`)}
            </Typography>
          </Box>
        ))}
      </Box>
      {entries.length === 0 && (
        <Typography role="status" color="textSecondary" sx={{ p: 3, textAlign: 'center' }}>
          {t('palette.nothing')}
        </Typography>
      )}
      <Typography
        variant="caption"
        color="textSecondary"
        sx={{ px: 2, py: 1, borderTop: 1, borderColor: 'divider', display: { xs: 'none', sm: 'block' } }}
      >
        {t('palette.keys')}
      </Typography>
    </>
  );
}
