import Menu from '@mui/material/Menu';
import type { ReactNode } from 'react';

/** Props that a button passes to its menu. */
export interface OpenedMenu {
  /** Id of the button, which names the menu. */
  id: string;
  /** The button; null while the menu is closed. */
  anchor: HTMLElement | null;
  onClose: () => void;
}

interface ButtonMenuProps extends OpenedMenu {
  children: ReactNode;
}

/** The menu of a `MenuButton`. */
export function ButtonMenu({ id, anchor, onClose, children }: ButtonMenuProps) {
  return (
    <Menu
      id={`${id}-menu`}
      anchorEl={anchor}
      open={anchor !== null}
      onClose={onClose}
      slotProps={{ list: { 'aria-labelledby': `${id}-button` } }}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
    >
      {children}
    </Menu>
  );
}
