import UploadFileRounded from '@mui/icons-material/UploadFileRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useRef, useState, type ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { toast } from '../../shared/feedback/toast';
import { useFreshly } from '../../shared/identity/step-up';
import { type ImportState, useRemoveFile, useUpload } from './api';

const MEGABYTE = 1024 ** 2;
const megabytes = (bytes: number): string => `${Math.max(1, Math.round(bytes / MEGABYTE))} MB`;

interface SourceFileProps {
  state: ImportState;
  isBusy: boolean;
}

/** Upload of a SQLite file; with its write-ahead log where it has one. */
export function SourceFile({ state: { file, chunk_bytes: chunkBytes }, isBusy }: SourceFileProps) {
  const { t } = useTranslation();
  const freshly = useFreshly();
  const input = useRef<HTMLInputElement>(null);
  const [upload, setUpload] = useState({ name: '', share: 0 });
  const send = useUpload(chunkBytes, (share) => setUpload((before) => ({ ...before, share })));
  const remove = useRemoveFile();
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    event.target.value = '';
    const [first] = files;
    if (first === undefined) return;
    setUpload({ name: first.name, share: 0 });
    // The failure is shown below.
    await freshly(() => send.mutateAsync(files)).catch(() => undefined);
  };
  const isThere = file !== null && file.received === file.size;
  const text = send.isPending
    ? t('imports.source.uploading', { name: upload.name, percent: Math.round(100 * upload.share) })
    : isThere
      ? t('imports.source.uploaded', { name: file.name, size: megabytes(file.size + file.log_received) })
      : t('imports.source.fileHelp');
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Typography variant="subtitle2">{t('imports.source.file')}</Typography>
      <Typography variant="body2" role="status">
        {text}
      </Typography>
      {send.isPending && (
        <LinearProgress variant="determinate" value={100 * upload.share} aria-label={text} />
      )}
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <Button
          variant="outlined"
          startIcon={<UploadFileRounded />}
          disabled={isBusy}
          loading={send.isPending}
          onClick={() => input.current?.click()}
        >
          {t('imports.source.choose')}
        </Button>
        {isThere && (
          <Button
            color="inherit"
            disabled={isBusy}
            loading={remove.isPending}
            onClick={() =>
              remove.mutate(undefined, {
                onSuccess: () => toast('success', t('imports.source.removed')),
              })
            }
          >
            {t('imports.source.remove')}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t('imports.source.choose')}
          onChange={(event) => void choose(event)}
        />
      </Box>
      {isThere && (
        <Typography variant="body2" color="textSecondary">
          {t('imports.source.keptHelp', { place: file.place })}
        </Typography>
      )}
      <FailureAlert failure={send.error} />
    </Box>
  );
}
