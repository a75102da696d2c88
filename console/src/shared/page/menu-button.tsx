import IconButton from '@mui/material/IconButton';
import { Suspense, useId, useState, type ReactNode } from 'react';
import { lazyPart } from '../feedback/lazy-part';
import type { OpenedMenu } from './button-menu';

const ButtonMenu = lazyPart(async () => (await import('./button-menu')).ButtonMenu);

interface OpensMenuProps {
  label: string;
  icon: ReactNode;
  /** A `ButtonMenu` with its items; may be a lazy part. */
  menu: (opened: OpenedMenu) => ReactNode;
}

/** An icon that opens a menu which is a component of its own. */
export function OpensMenu({ label, icon, menu }: OpensMenuProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <IconButton
        id={`${id}-button`}
        size="small"
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-controls={anchor === null ? undefined : `${id}-menu`}
        onClick={(event) => {
          setWasOpened(true);
          setAnchor(event.currentTarget);
        }}
      >
        {icon}
      </IconButton>
      {wasOpened && (
        <Suspense fallback={null}>{menu({ id, anchor, onClose: () => setAnchor(null) })}</Suspense>
      )}
    </>
  );
}

interface MenuButtonProps extends Pick<OpensMenuProps, 'label' | 'icon'> {
  /** Menu items; `close` is called by those that act. */
  children: (close: () => void) => ReactNode;
}

/** An icon that opens a menu. */
export function MenuButton({ label, icon, children }: MenuButtonProps) {
  return (
    <OpensMenu
      label={label}
      icon={icon}
      menu={(opened) => <ButtonMenu {...opened}>{children(opened.onClose)}</ButtonMenu>}
    />
  );
}
