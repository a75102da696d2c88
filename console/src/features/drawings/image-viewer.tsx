import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogHeading } from '../../shared/dialog/dialog-heading';
import { Loading } from '../../shared/feedback/loading';
import type { Drawing } from './api';

/** Most characters of the description that screen readers get. */
const MAX_ALT_CHARACTERS = 160;

interface ImageViewerProps {
  open: boolean;
  address: string;
  drawing: Drawing;
  onClose: () => void;
}

export function ImageViewer({ open, address, drawing, onClose }: ImageViewerProps) {
  const { t } = useTranslation();
  const id = useId();
  const isPhone = useMediaQuery('(max-width:600px)');
  return (
    <Dialog open={open} onClose={onClose} fullWidth maxWidth="md" fullScreen={isPhone} aria-labelledby={id}>
      <DialogHeading id={id} title={t('drawings.image.title')} note={drawing.mj_id} onClose={onClose} />
      <DialogContent>
        <Picture address={address} alt={altOf(drawing)} />
      </DialogContent>
      <DialogActions>
        <Button component="a" href={address} target="_blank" rel="noopener noreferrer" color="inherit">
          {t('drawings.image.open')}
        </Button>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogActions>
    </Dialog>
  );

  function altOf({ prompt, mj_id: mjId }: Drawing): string {
    const characters = [...(prompt === '' ? mjId : prompt)];
    const short =
      characters.length > MAX_ALT_CHARACTERS
        ? `${characters.slice(0, MAX_ALT_CHARACTERS).join('')}…`
        : characters.join('');
    return t('drawings.image.alt', { prompt: short });
  }
}

function Picture({ address, alt }: { address: string; alt: string }) {
  const { t } = useTranslation();
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  if (state === 'failed')
    return (
      <Alert severity="error">
        <AlertTitle sx={{ fontSize: 14, mb: 0 }}>{t('drawings.image.failed')}</AlertTitle>
        {t('drawings.image.failedText')}
      </Alert>
    );
  return (
    <Box sx={{ minHeight: 200, display: 'grid', placeItems: 'center' }}>
      {state === 'loading' && <Loading />}
      <Box
        component="img"
        src={address}
        alt={alt}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onLoad={() => setState('shown')}
        onError={() => setState('failed')}
        sx={{ maxWidth: '100%', maxHeight: '70dvh', objectFit: 'contain', borderRadius: '8px' }}
      />
    </Box>
  );
}
