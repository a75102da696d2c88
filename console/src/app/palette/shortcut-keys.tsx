import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCurrentUser } from '../../api/current-user';
import { loadTexts } from '../../i18n';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { useShownModules } from '../../shared/session/modules';
import { GO_KEYS, isGoKey, isTaken, mayGo, storedSingleKeys } from './shortcuts';

const ShortcutDialog = lazyDialog(
  async () => (await Promise.all([import('./shortcut-dialog'), loadTexts('palette')]))[0].ShortcutDialog,
  ({ open }) => open,
);

/** The second key of `g l` follows within this time. */
const SEQUENCE_MS = 1_500;

/** Keys of every page: `/` searches it, `g` and a letter open another one, `?` lists the keys. */
export function ShortcutKeys({ onPalette }: { onPalette: () => void }) {
  const navigate = useNavigate();
  const modules = useShownModules();
  const role = useCurrentUser()?.role ?? 0;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    let goneAtMs = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (storedSingleKeys.read() === 'off' || isTaken(event)) return;
      const isSecond = event.timeStamp - goneAtMs < SEQUENCE_MS;
      goneAtMs = event.key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (isSecond && isGoKey(event.key) && mayGo(event.key, role)) {
        const { path } = GO_KEYS[event.key];
        if (modules.page(path)) void navigate(path);
      } else if (event.key === '/') searchPage(onPalette);
      else if (event.key === '?') setOpen(true);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, modules, role, onPalette]);
  return <ShortcutDialog open={isOpen} onClose={() => setOpen(false)} />;
}

/** Focuses the page's own search, or opens the palette where a page has none. */
function searchPage(onPalette: () => void): void {
  const search = document.querySelector<HTMLInputElement>(
    'main input[type="search"], main [role="search"] input, main input[role="combobox"][aria-autocomplete="list"]',
  );
  if (search === null) onPalette();
  else search.focus();
}
