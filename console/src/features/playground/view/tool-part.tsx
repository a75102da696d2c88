import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../../shared/format/mono';
import { parseJson } from '../../../shared/format/json';
import type { ToolPart } from '../chat/messages';

interface ToolCallProps {
  part: ToolPart;
  /** Absent when the call can no longer be answered. */
  onResult?: ((toolCallId: string, output: unknown) => void) | undefined;
}

/** A function the model wants called: its arguments, and the result, which the reader gives by hand. */
export function ToolCall({ part, onResult }: ToolCallProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const { toolName, toolCallId, input, output } = part;
  return (
    <Box
      component="section"
      aria-label={t('playground.tool.call', { name: toolName })}
      sx={{ border: 1, borderColor: 'divider', borderRadius: '8px', p: 1.5, my: 1, display: 'grid', gap: 1 }}
    >
      <Typography variant="subtitle2">{t('playground.tool.call', { name: toolName })}</Typography>
      <Json value={input} />
      {output !== undefined ? (
        <>
          <Typography variant="subtitle2">{t('playground.tool.result')}</Typography>
          <Json value={output} />
        </>
      ) : (
        onResult !== undefined && (
          <Box
            component="form"
            sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}
            onSubmit={(event) => {
              event.preventDefault();
              onResult(toolCallId, parseJson(text) ?? text);
            }}
          >
            <TextField
              fullWidth
              multiline
              minRows={2}
              maxRows={8}
              size="small"
              label={t('playground.tool.result')}
              helperText={t('playground.tool.resultHelp')}
              value={text}
              onChange={(event) => setText(event.target.value)}
              slotProps={{ htmlInput: { style: { fontFamily: MONO, fontSize: 12.5 } } }}
            />
            <Button type="submit" size="small" variant="contained">
              {t('playground.tool.send')}
            </Button>
          </Box>
        )
      )}
    </Box>
  );
}

function Json({ value }: { value: unknown }) {
  return (
    <Box
      component="pre"
      tabIndex={0}
      sx={{
        m: 0,
        p: 1,
        fontFamily: MONO,
        fontSize: 12.5,
        bgcolor: 'soft.sunken',
        borderRadius: '6px',
        maxHeight: 240,
        overflow: 'auto',
        whiteSpace: 'pre-wrap',
      }}
    >
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </Box>
  );
}
