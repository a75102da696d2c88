import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import Button from '@mui/material/Button';
import { useCopy } from '../dialog/manual-copy';

interface CopySelectedProps {
  label: string;
  /** Texts to copy, one a selected row; nothing to copy disables the button. */
  texts: readonly string[];
  /** Between them. */
  separator?: string;
  /** Said when it is done. */
  done: string;
}

/** On the selection bar: the selected rows as text. */
export function CopySelected({ label, texts, separator = '\n', done }: CopySelectedProps) {
  const copy = useCopy();
  return (
    <Button
      size="small"
      startIcon={<ContentCopyRounded />}
      disabled={texts.length === 0}
      onClick={() => void copy(texts.join(separator), done)}
    >
      {label}
    </Button>
  );
}
