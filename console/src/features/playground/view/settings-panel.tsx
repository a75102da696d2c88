import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Paper from '@mui/material/Paper';
import Slider from '@mui/material/Slider';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { memo, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { usableGroupsQuery } from '../../../shared/session/reference-lists';
import { type ChatSettings, type ModelParameters, parametersOf, takesSampling } from '../chat/chat-settings';
import type { ConversationStore } from '../store/conversation-store';
import { ModelSelect } from './model-select';
import { MoreParameters } from './more-parameters';
import { PromptLibrary } from './prompt-library';
import { ToolSettings } from './tool-settings';

const STEP = 0.1;
const PROMPT_LINES = 4;

interface SettingsPanelProps {
  settings: ChatSettings;
  model: string;
  models: readonly string[];
  store: ConversationStore | undefined;
  onChange: (patch: Partial<ChatSettings>) => void;
  onModel: (model: string) => void;
  onClear: () => void;
}

/** Settings of the next question. */
export const SettingsPanel = memo(function SettingsPanel({
  settings,
  model,
  models,
  store,
  onChange,
  onModel,
  onClear,
}: SettingsPanelProps) {
  const { t } = useTranslation();
  const id = useId();
  const groups = useQuery(usableGroupsQuery).data ?? [];
  const { group, systemPrompt } = settings;
  const parameters = parametersOf(settings, model);
  const { temperature, maxTokens } = parameters;
  const setParameters = (patch: Partial<ModelParameters>) =>
    onChange({ parameters: { ...settings.parameters, [model]: { ...parameters, ...patch } } });
  return (
    <Paper
      variant="outlined"
      component="section"
      aria-label={t('playground.settings')}
      sx={{ p: 2, display: 'grid', gap: 2, alignContent: 'start', minWidth: 0, overflowY: 'auto' }}
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
      <ModelSelect model={model} models={models} label={t('playground.model')} onChange={onModel} />
      {takesSampling(model) ? (
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
            onChange={(_event, value) => setParameters({ temperature: Math.round(Number(value) * 10) / 10 })}
          />
        </Box>
      ) : (
        <Typography variant="body2" color="textSecondary">
          {t('playground.noSampling')}
        </Typography>
      )}
      <TextField
        size="small"
        fullWidth
        type="number"
        label={t('playground.maxTokens')}
        value={maxTokens}
        helperText={t('playground.maxTokensHelp')}
        slotProps={{ htmlInput: { min: 0, step: 1, inputMode: 'numeric' } }}
        onChange={(event) => setParameters({ maxTokens: wholeNumber(event.target.value) })}
      />
      <MoreParameters model={model} parameters={parameters} onChange={setParameters} />
      <Box sx={{ display: 'grid', gap: 0.5 }}>
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
        <PromptLibrary
          store={store}
          text={systemPrompt}
          onChoose={(text) => onChange({ systemPrompt: text })}
        />
      </Box>
      <ToolSettings settings={settings} onChange={onChange} />
      <Button variant="outlined" color="inherit" size="small" onClick={onClear}>
        {t('playground.clear')}
      </Button>
    </Paper>
  );
});

const MAX_TOKENS = 1_000_000;

function wholeNumber(text: string): number {
  const value = Math.trunc(Number(text));
  return Number.isFinite(value) ? Math.min(MAX_TOKENS, Math.max(0, value)) : 0;
}
