import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrentUser } from '../../../api/current-user';
import { Empty } from '../../../shared/feedback/empty';
import { useCallableModels } from '../../../shared/session/example-model';
import { usableGroupsQuery, usableModelsQuery } from '../../../shared/session/reference-lists';
import MenuItem from '@mui/material/MenuItem';
import { FailurePart } from '../view/failure-part';
import { ModelSelect } from '../view/model-select';
import { sizesOf, VOICES } from './media-call';
import { MadeImages, MadeSpeech } from './made-media';
import { MediaReceipt } from './media-receipt';
import { useMediaCall } from './use-media-call';

type MediaMode = 'image' | 'speech';

const KINDS = { image: 'image-generation', speech: 'audio-speech' } as const;
const PATHS = { image: '/pg/images/generations', speech: '/pg/audio/speech' } as const;
const NO_MODELS: readonly string[] = [];
const MOST_IMAGES = 4;

/** Images or speech from one text. The answer is not kept: it is large, and can be saved as a file. */
export function MediaWorkspace({ mode, wantedModel }: { mode: MediaMode; wantedModel: string }) {
  const { t } = useTranslation();
  const usable = useQuery(usableModelsQuery).data ?? NO_MODELS;
  const groups = useQuery(usableGroupsQuery).data ?? [];
  const ownGroup = useCurrentUser()?.group ?? '';
  const [group, setGroup] = useState('');
  const models = useCallableModels(usable, (group === '' ? ownGroup : group) || undefined, KINDS[mode]);
  const [chosen, setChosen] = useState(wantedModel);
  const model = models.includes(chosen) ? chosen : (models[0] ?? '');
  const [text, setText] = useState('');
  const [size, setSize] = useState('');
  const [count, setCount] = useState(1);
  const [voice, setVoice] = useState<string>(VOICES[0]);
  const { call, failure, stop } = useMediaCall(PATHS[mode]);
  const sizes = sizesOf(model);
  const shownSize = sizes.includes(size) ? size : '';
  const send = () => {
    if (model === '' || text.trim() === '' || call.isPending) return;
    call.mutate(
      mode === 'image'
        ? { model, group, prompt: text.trim(), n: count, ...(shownSize === '' ? {} : { size: shownSize }) }
        : { model, group, input: text.trim(), voice, response_format: 'mp3' },
    );
  };
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '280px minmax(0, 1fr)' },
      }}
    >
      <Paper
        variant="outlined"
        component="form"
        aria-label={t(`playground.media.${mode}Form`)}
        sx={{ p: 2, display: 'grid', gap: 2, alignContent: 'start' }}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <TextField
          select
          size="small"
          label={t('playground.group')}
          value={group}
          onChange={(event) => setGroup(event.target.value)}
          slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
        >
          <MenuItem value="">{t('playground.ownGroup')}</MenuItem>
          {groups.map((each) => (
            <MenuItem key={each.name} value={each.name}>
              {each.name} · ×{each.ratio}
            </MenuItem>
          ))}
        </TextField>
        <ModelSelect model={model} models={models} label={t('playground.model')} onChange={setChosen} />
        <TextField
          multiline
          minRows={4}
          maxRows={12}
          size="small"
          label={t(`playground.media.${mode}Text`)}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {mode === 'image' ? (
          <>
            <TextField
              select
              size="small"
              label={t('playground.media.size')}
              value={shownSize}
              onChange={(event) => setSize(event.target.value)}
              slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
            >
              <MenuItem value="">{t('playground.media.modelsChoice')}</MenuItem>
              {sizes.map((each) => (
                <MenuItem key={each} value={each}>
                  {each.replace('x', ' × ')}
                </MenuItem>
              ))}
            </TextField>
            <TextField
              type="number"
              size="small"
              label={t('playground.media.count')}
              value={count}
              onChange={(event) =>
                setCount(Math.min(MOST_IMAGES, Math.max(1, Math.trunc(Number(event.target.value)) || 1)))
              }
              slotProps={{ htmlInput: { min: 1, max: MOST_IMAGES, step: 1 } }}
            />
          </>
        ) : (
          <TextField
            size="small"
            label={t('playground.media.voice')}
            helperText={t('playground.media.voiceHelp', { voices: VOICES.join(', ') })}
            value={voice}
            onChange={(event) => setVoice(event.target.value)}
          />
        )}
        {call.isPending ? (
          <Button variant="outlined" color="inherit" onClick={stop}>
            {t('playground.stop')}
          </Button>
        ) : (
          <Button variant="contained" type="submit" disabled={model === '' || text.trim() === ''}>
            {t(`playground.media.${mode}Make`)}
          </Button>
        )}
      </Paper>
      <Paper
        variant="outlined"
        component="section"
        aria-label={t('playground.media.result')}
        aria-busy={call.isPending}
        sx={{ p: 2, minHeight: 320, display: 'grid', gap: 1.5, alignContent: 'start' }}
      >
        {call.isPending && <CircularProgress size={20} aria-label={t('playground.waiting')} />}
        {failure !== undefined && <FailurePart failure={failure} model={model} onRetry={send} />}
        {call.data !== undefined && (
          <>
            {mode === 'image' ? (
              <MadeImages content={call.data.content} />
            ) : (
              <MadeSpeech key={call.data.requestId} content={call.data.content} />
            )}
            <MediaReceipt requestId={call.data.requestId} totalMs={call.data.totalMs} />
          </>
        )}
        {call.isIdle && (
          <Empty title={t(`playground.media.${mode}Empty`)} explanation={t('playground.media.emptyText')} />
        )}
      </Paper>
    </Box>
  );
}
