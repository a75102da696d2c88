import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../shared/dialog/manual-copy';
import { MONO } from '../../shared/format/mono';
import { useSystemName } from '../../shared/session/status';

interface RecoveryCodesProps {
  /** Null closes the dialog. */
  codes: readonly string[] | null;
  onClose: () => void;
}

/** The recovery codes, seen once; only the button closes them, not a stray click. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation();
  const id = useId();
  const copy = useCopy();
  const systemName = useSystemName();
  const text = (codes ?? []).join('\n');
  return (
    <Dialog open={codes !== null} fullWidth maxWidth="xs" aria-labelledby={id}>
      <DialogTitle id={id}>{t('personal.recovery.title')}</DialogTitle>
      <DialogContent>
        <Alert severity="warning" sx={{ mb: 2 }}>
          {t('personal.recovery.help')}
        </Alert>
        <Box
          component="ol"
          aria-label={t('personal.recovery.title')}
          sx={{
            m: 0,
            p: 2,
            listStyle: 'none',
            display: 'grid',
            gridTemplateColumns: 'repeat(auto-fit, minmax(130px, 1fr))',
            gap: 1,
            bgcolor: 'soft.sunken',
            borderRadius: '8px',
            fontFamily: MONO,
            fontSize: 13,
          }}
        >
          {codes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </Box>
        <Box sx={{ display: 'flex', gap: 1, mt: 1.5, flexWrap: 'wrap' }}>
          <Button size="small" variant="outlined" onClick={() => void copy(text)}>
            {t('common.copy')}
          </Button>
          <Button
            size="small"
            variant="outlined"
            startIcon={<DownloadRounded />}
            component="a"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${systemName}\n\n${text}\n`)}`}
            download={`${systemName}-recovery-codes.txt`}
          >
            {t('personal.recovery.download')}
          </Button>
        </Box>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          {t('personal.recovery.saved')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
