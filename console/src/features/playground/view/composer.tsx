import AttachFileRounded from '@mui/icons-material/AttachFileRounded';
import SendRounded from '@mui/icons-material/SendRounded';
import StopRounded from '@mui/icons-material/StopRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import InputBase from '@mui/material/InputBase';
import useMediaQuery from '@mui/material/useMediaQuery';
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  memo,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Tip } from '../../../shared/feedback/tip';
import { toast } from '../../../shared/feedback/toast';
import { ACCEPTED_FILES, type Attachment, MAX_FILE_BYTES, readAttachment } from '../chat/attachments';
import type { MessagePart } from '../chat/messages';
import { readDraft, writeDraft } from '../store/draft';

const MAX_LINES = 8;

interface ComposerProps {
  /** Question to begin with, instead of the draft; empty = none. */
  initialText: string;
  canSend: boolean;
  isAnswering: boolean;
  onSend: (parts: MessagePart[]) => void;
  onStop: () => void;
}

/** Enter sends, Shift and Enter begin a line; keys that choose a character of an input method do neither. */
export function Composer({ initialText, canSend, isAnswering, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(() => (initialText === '' ? readDraft() : initialText));
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const isEmpty = text.trim() === '' && files.length === 0;
  const change = useCallback((next: string) => {
    setText(next);
    writeDraft(next);
  }, []);
  useEffect(() => {
    if (initialText !== '') writeDraft(initialText);
  }, [initialText]);
  const add = async (chosen: readonly File[]) => {
    const read = await Promise.all(
      chosen.map(async (file) => ({ file, result: await readAttachment(file) })),
    );
    const added: Attachment[] = [];
    for (const { file, result } of read)
      if (typeof result === 'string') toast('error', t(`playground.file.${result}`, { name: file.name }));
      else added.push(result);
    setFiles((known) => {
      const all = [...known, ...added];
      const size = all.reduce((sum, each) => sum + each.size, 0);
      if (size <= (MAX_FILE_BYTES * 4) / 3) return all;
      toast('error', t('playground.file.together'));
      return known;
    });
  };
  const send = () => {
    if (!canSend || isAnswering || isEmpty) return;
    // The draft stays until the gateway has taken the call: an expired session would lose it.
    const question: MessagePart[] = text.trim() === '' ? [] : [{ type: 'text', text: text.trim() }];
    onSend([...question, ...files.map(({ part }) => part)]);
    setText('');
    setFiles([]);
  };
  const present = useRef({ send, add });
  useEffect(() => {
    present.current = { send, add };
  });
  const onKey = useCallback((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    present.current.send();
  }, []);
  const onPaste = useCallback((event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    void present.current.add(pasted);
  }, []);
  const onDrop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void add([...event.dataTransfer.files]);
  };
  return (
    <Box
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
      sx={{
        p: 1.25,
        borderTop: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
        borderRadius: '0 0 10px 10px',
        position: { xs: 'sticky', sm: 'static' },
        bottom: 0,
        zIndex: 2,
      }}
    >
      {files.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, mb: 1 }}>
          {files.map((file) => (
            <Chip
              key={file.id}
              size="small"
              label={file.name}
              onDelete={() => setFiles((known) => known.filter(({ id }) => id !== file.id))}
              avatar={<FilePreview file={file} />}
              sx={{ maxWidth: 240 }}
            />
          ))}
        </Box>
      )}
      <Box sx={{ display: 'flex', gap: 0.5, alignItems: 'flex-end' }}>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={ACCEPTED_FILES}
          data-testid="attachments"
          onChange={(event) => {
            void add([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        <Tip title={t('playground.attach')}>
          <IconButton aria-label={t('playground.attach')} onClick={() => input.current?.click()}>
            <AttachFileRounded fontSize="small" />
          </IconButton>
        </Tip>
        <MessageBox text={text} onChange={change} onKey={onKey} onPaste={onPaste} />
        {isAnswering ? (
          <Button
            variant="outlined"
            color="inherit"
            onClick={onStop}
            startIcon={<StopRounded />}
            sx={{ flexShrink: 0 }}
          >
            {t('playground.stop')}
          </Button>
        ) : (
          <Button
            variant="contained"
            onClick={send}
            disabled={!canSend || isEmpty}
            endIcon={<SendRounded />}
            sx={{ flexShrink: 0 }}
          >
            {t('playground.send')}
          </Button>
        )}
      </Box>
    </Box>
  );
}

interface MessageBoxProps {
  text: string;
  onChange: (next: string) => void;
  onKey: (event: KeyboardEvent) => void;
  onPaste: (event: ClipboardEvent) => void;
}

/** Measures its height with each drawing, which lays out the whole page: it is drawn only with another text. */
const MessageBox = memo(function MessageBox({ text, onChange, onKey, onPaste }: MessageBoxProps) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery('(max-width:600px)');
  return (
    <InputBase
      fullWidth
      multiline
      maxRows={MAX_LINES}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKey}
      onPaste={onPaste}
      placeholder={t(isPhone ? 'playground.placeholderPhone' : 'playground.placeholder')}
      inputProps={{ 'aria-label': t('playground.message') }}
      sx={{ px: 0.5, py: 0.75 }}
    />
  );
});

function FilePreview({ file: { part } }: { file: Attachment }) {
  if (part.type === 'file' && part.mediaType.startsWith('image/')) return <img src={part.url} alt="" />;
  return <AttachFileRounded />;
}
