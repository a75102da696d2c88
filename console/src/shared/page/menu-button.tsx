import IconButton from '@mui/material/IconButton';
import { Suspense, useId, useState, type ReactNode } from 'react';
import { lazyPart } from '../feedback/lazy-part';

const ButtonMenu = lazyPart(async () => (await import('./button-menu')).ButtonMenu);

interface MenuButtonProps {
  label: string;
  icon: ReactNode;
  /** Menu items; `close` is called by those that act. */
  children: (close: () => void) => ReactNode;
}

/** An icon that opens a menu. */
export function MenuButton({ label, icon, children }: MenuButtonProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const close = () => setAnchor(null);
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
        <Suspense fallback={null}>
          <ButtonMenu id={id} anchor={anchor} onClose={close}>
            {children(close)}
          </ButtonMenu>
        </Suspense>
      )}
    </>
  );
}
