import CloseRounded from '@mui/icons-material/CloseRounded';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface DialogHeadingProps {
  /** Id that labels the dialog. */
  id: string;
  title: ReactNode;
  /** A quieter line below. */
  note?: ReactNode;
  onClose: () => void;
}

/** Heading of a dialog one looks into and closes again by a cross. */
export function DialogHeading({ id, title, note, onClose }: DialogHeadingProps) {
  const { t } = useTranslation();
  return (
    <DialogTitle id={id} sx={{ pr: 7, overflowWrap: 'anywhere' }}>
      {title}
      {note !== undefined && (
        <Typography variant="body2" color="textSecondary" component="p">
          {note}
        </Typography>
      )}
      <IconButton
        aria-label={t('common.close')}
        onClick={onClose}
        size="small"
        sx={{ position: 'absolute', right: 14, top: 14 }}
      >
        <CloseRounded />
      </IconButton>
    </DialogTitle>
  );
}
