import { useMemo } from 'react';
import { useShownModules } from '../../shared/session/modules';
import { matching, type PaletteEntry } from './palette-entry';
import { usePaletteActions } from './use-palette-actions';
import { usePaletteFindings } from './use-palette-findings';
import { usePalettePages } from './use-palette-pages';

/** Entries of the palette for a text: pages and actions by name, then findings of the server. */
export function usePaletteEntries(text: string, role: number, onKeys: () => void): readonly PaletteEntry[] {
  const modules = useShownModules();
  const pages = usePalettePages(role);
  const actions = usePaletteActions(role, onKeys);
  const found = usePaletteFindings(text, role);
  return useMemo(
    () =>
      [...matching([...pages, ...actions], text.trim()), ...found].filter(
        ({ path, belongsTo = path }) => belongsTo === undefined || modules.page(belongsTo),
      ),
    [pages, actions, found, text, modules],
  );
}
