import ImageOutlined from '@mui/icons-material/ImageOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { StatusTag } from '../../shared/feedback/status-tag';
import { webAddress } from '../../shared/format/web-address';
import type { Drawing } from './api';

const ImageViewer = lazyDialog(
  async () => (await import('./image-viewer')).ImageViewer,
  ({ open }) => open,
);

/** The image, behind a button: nothing is fetched before the reader asks for it. */
export function ResultImage({ drawing }: { drawing: Drawing }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const address = webAddress(drawing.image_url);
  if (address === undefined)
    return (
      <StatusTag tone="neutral" tooltip={drawing.image_url}>
        {t('drawings.image.refused')}
      </StatusTag>
    );
  return (
    <>
      <Button
        size="small"
        startIcon={<ImageOutlined />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        sx={{ whiteSpace: 'nowrap', py: 0 }}
      >
        {t('drawings.image.view')}
      </Button>
      <ImageViewer open={open} address={address} drawing={drawing} onClose={() => setOpen(false)} />
    </>
  );
}
