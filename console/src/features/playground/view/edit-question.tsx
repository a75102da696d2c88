import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface EditQuestionProps {
  text: string;
  onSend: (text: string) => void;
  onCancel: () => void;
}

/** The question in other words; the earlier version stays and can be shown again. */
export function EditQuestion({ text, onSend, onCancel }: EditQuestionProps) {
  const { t } = useTranslation();
  const [changed, setChanged] = useState(text);
  return (
    <Box
      component="form"
      sx={{ display: 'grid', gap: 1 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (changed.trim() !== '') onSend(changed.trim());
      }}
    >
      <TextField
        autoFocus
        fullWidth
        multiline
        maxRows={12}
        value={changed}
        onChange={(event) => setChanged(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
        }}
        slotProps={{ htmlInput: { 'aria-label': t('playground.editedQuestion') } }}
      />
      <Box sx={{ display: 'flex', gap: 1, justifyContent: 'end' }}>
        <Button size="small" color="inherit" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button size="small" variant="contained" type="submit" disabled={changed.trim() === ''}>
          {t('playground.askEdited')}
        </Button>
      </Box>
    </Box>
  );
}
