import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useStored } from '../../shared/browser/use-stored';
import { DialogHeading } from '../../shared/dialog/dialog-heading';
import { RichText } from '../../shared/page/rich-text';
import { storedNotices } from '../../shared/session/notice-history';
import { Moment } from '../../shared/value/moment';

interface NoticeDialogProps {
  open: boolean;
  onClose: () => void;
}

/** The notices this browser has shown, in full. */
export function NoticeDialog({ open, onClose }: NoticeDialogProps) {
  const { t } = useTranslation();
  const notices = useStored(storedNotices);
  return (
    <Dialog open={open} onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="notices">
      <DialogHeading id="notices" title={t('shell.notices')} onClose={onClose} />
      <DialogContent>
        {notices.map(({ text, at }) => (
          <Box
            key={text}
            component="article"
            sx={{ py: 1.5, overflowWrap: 'anywhere', '& + &': { borderTop: 1, borderColor: 'divider' } }}
          >
            <Typography variant="body2" color="textSecondary" component="div">
              <Moment seconds={at} />
            </Typography>
            <RichText text={text} />
          </Box>
        ))}
      </DialogContent>
    </Dialog>
  );
}
