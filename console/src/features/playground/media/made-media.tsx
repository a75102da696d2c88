import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../shared/browser/save-file';
import { parseJson } from '../../../shared/format/json';
import { RemoteImage } from '../text/remote-image';
import { imagesOf, type MadeImage } from './media-call';

/** Images of an answer, each with a way to save it. */
export function MadeImages({ content }: { content: Blob }) {
  const { t } = useTranslation();
  const [images, setImages] = useState<readonly MadeImage[]>();
  useEffect(() => {
    let isLeft = false;
    void content.text().then((text) => {
      if (!isLeft) setImages(imagesOf(parseJson(text)));
    });
    return () => void (isLeft = true);
  }, [content]);
  if (images === undefined) return null;
  if (images.length === 0) return <Alert severity="warning">{t('playground.media.noImage')}</Alert>;
  return (
    <Box
      sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(min(280px, 100%), 1fr))' }}
    >
      {images.map(({ source, url }, index) => {
        const name = t('playground.media.imageNumber', { number: index + 1 });
        if (source === 'address') return <RemoteImage key={url} address={url} name="" />;
        return (
          <Box key={index} component="figure" sx={{ m: 0 }}>
            <Box
              component="img"
              src={url}
              alt={name}
              sx={{ maxWidth: '100%', borderRadius: '8px', display: 'block' }}
            />
            <Button size="small" component="a" href={url} download={`image-${index + 1}`} sx={{ mt: 0.5 }}>
              {t('playground.media.save', { name })}
            </Button>
          </Box>
        );
      })}
    </Box>
  );
}

/** Speech of an answer, to play and to save. Another answer needs another key. */
export function MadeSpeech({ content }: { content: Blob }) {
  const { t } = useTranslation();
  const [address] = useState(() => URL.createObjectURL(content));
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  const name = t('playground.media.speechName');
  return (
    <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
      <Box component="audio" controls src={address} aria-label={name} sx={{ width: '100%', maxWidth: 560 }} />
      <Button size="small" onClick={() => saveFile('speech.mp3', content)}>
        {t('playground.media.save', { name })}
      </Button>
    </Box>
  );
}
