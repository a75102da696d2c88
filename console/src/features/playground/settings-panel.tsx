import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Paper from '@mui/material/Paper';
import Slider from '@mui/material/Slider';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { usableGroupsQuery } from '../../shared/session/reference-lists';
import type { ChatSettings } from './conversation';

const STEP = 0.1;
const PROMPT_LINES = 4;

interface SettingsPanelProps {
  settings: ChatSettings;
  models: readonly string[];
  onChange: (patch: Partial<ChatSettings>) => void;
  onClear: () => void;
}

/** What the next question is asked with. */
export function SettingsPanel({ settings, models, onChange, onClear }: SettingsPanelProps) {
  const { t } = useTranslation();
  const id = useId();
  const groups = useQuery(usableGroupsQuery).data ?? [];
  const { group, model, temperature, maxTokens, systemPrompt } = settings;
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label={t('playground.settings')}
      sx={{ p: 2, display: 'grid', gap: 2, alignContent: 'start' }}
    >
      <TextField
        select
        size="small"
        fullWidth
        label={t('playground.group')}
        value={group}
        onChange={(event) => onChange({ group: event.target.value })}
        slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
      >
        <MenuItem value="">{t('playground.ownGroup')}</MenuItem>
        {groups.map((each) => (
          <MenuItem key={each.name} value={each.name}>
            {each.name} · ×{each.ratio}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        select
        size="small"
        fullWidth
        label={t('playground.model')}
        value={models.includes(model) ? model : ''}
        onChange={(event) => onChange({ model: event.target.value })}
        helperText={models.length === 0 ? t('playground.noModels') : undefined}
      >
        {models.map((name) => (
          <MenuItem key={name} value={name}>
            {name}
          </MenuItem>
        ))}
      </TextField>
      <Box>
        <Typography id={`${id}-temperature`} variant="body2" color="textSecondary">
          {t('playground.temperature', { value: temperature.toFixed(1) })}
        </Typography>
        <Slider
          size="small"
          aria-labelledby={`${id}-temperature`}
          min={0}
          max={1}
          step={STEP}
          value={temperature}
          onChange={(_event, value) => onChange({ temperature: Math.round(Number(value) * 10) / 10 })}
        />
      </Box>
      <TextField
        size="small"
        fullWidth
        type="number"
        label={t('playground.maxTokens')}
        value={maxTokens}
        helperText={t('playground.maxTokensHelp')}
        slotProps={{ htmlInput: { min: 0, step: 1, inputMode: 'numeric' } }}
        onChange={(event) => onChange({ maxTokens: wholeNumber(event.target.value) })}
      />
      <TextField
        size="small"
        fullWidth
        multiline
        minRows={PROMPT_LINES}
        maxRows={10}
        label={t('playground.systemPrompt')}
        value={systemPrompt}
        onChange={(event) => onChange({ systemPrompt: event.target.value })}
      />
      <Button variant="outlined" color="inherit" size="small" onClick={onClear}>
        {t('playground.clear')}
      </Button>
    </Paper>
  );
}

const MAX_TOKENS = 1_000_000;

function wholeNumber(text: string): number {
  const value = Math.trunc(Number(text));
  return Number.isFinite(value) ? Math.min(MAX_TOKENS, Math.max(0, value)) : 0;
}
