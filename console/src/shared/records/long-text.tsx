import { useState } from 'react';
import { lazyDialog } from '../feedback/lazy-dialog';
import { CutButton } from '../value/cut-button';

const TextDialog = lazyDialog(
  async () => (await import('./text-dialog')).TextDialog,
  ({ open }) => open,
);

interface LongTextProps {
  text: string;
  /** Title of the dialog. */
  label: string;
  maxWidth?: number;
}

/** A text on one line, cut where its room ends; pressed, the whole of it. */
export function LongText({ text, label, maxWidth = 140 }: LongTextProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <CutButton text={text} maxWidth={maxWidth} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      <TextDialog open={open} title={label} text={text} onClose={() => setOpen(false)} />
    </>
  );
}
