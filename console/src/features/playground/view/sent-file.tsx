import AttachFileRounded from '@mui/icons-material/AttachFileRounded';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { FilePart } from '../chat/messages';

/** A file of a message. Only what the message itself contains is shown: an address elsewhere would be fetched unasked. */
export function SentFile({ part }: { part: FilePart }) {
  const { t } = useTranslation();
  const { url, mediaType, filename } = part;
  const name = filename ?? mediaType;
  if (mediaType.startsWith('image/') && url.startsWith('data:image/'))
    return (
      <Box
        component="img"
        src={url}
        alt={t('playground.imageNamed', { name })}
        sx={{ display: 'block', maxWidth: '100%', maxHeight: 320, borderRadius: '8px', mb: 1 }}
      />
    );
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, mb: 0.5, fontSize: 13 }}>
      <AttachFileRounded sx={{ fontSize: 16 }} />
      {name}
    </Box>
  );
}
