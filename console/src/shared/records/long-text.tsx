import ButtonBase from '@mui/material/ButtonBase';
import { useState } from 'react';
import { lazyDialog } from '../feedback/lazy-dialog';

const TextDialog = lazyDialog(
  async () => (await import('./text-dialog')).TextDialog,
  ({ open }) => open,
);

interface LongTextProps {
  text: string;
  /** What it is: title of the dialog. */
  label: string;
  maxWidth?: number;
}

/** A text on one line, cut where its room ends; pressed, the whole of it. */
export function LongText({ text, label, maxWidth = 140 }: LongTextProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <ButtonBase
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        sx={{
          font: 'inherit',
          borderRadius: '5px',
          px: 0.5,
          mx: -0.5,
          maxWidth,
          justifyContent: 'flex-start',
          '&:hover': { bgcolor: 'soft.accent', color: 'primary.main' },
        }}
      >
        <span style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{text}</span>
      </ButtonBase>
      <TextDialog open={open} title={label} text={text} onClose={() => setOpen(false)} />
    </>
  );
}
