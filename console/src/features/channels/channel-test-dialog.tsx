import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogContent from '@mui/material/DialogContent';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogHeading } from '../../shared/dialog/dialog-heading';
import { formatMilliseconds } from '../../shared/format/duration';
import { splitList } from '../../shared/format/lists';
import { MONO } from '../../shared/format/mono';
import { StatusTag } from '../../shared/feedback/status-tag';
import { Empty } from '../../shared/feedback/empty';
import { SearchBox } from '../../shared/table/search-box';
import type { Channel, ChannelTest } from './api';
import { channelDialog } from './channel-dialog';
import { useTestWithConsent } from './use-test-with-consent';

/** Endpoints a channel can be tested at (server: probe-kinds.ts). */
const ENDPOINTS = [
  ...(['chat', 'completions', 'responses', 'messages', 'generate_content'] as const),
  ...(['embeddings', 'rerank', 'images', 'speech', 'transcriptions', 'moderations', 'realtime'] as const),
] as const;

/** Many models, one channel: try any of them, plain or streamed, and read what came back. */
export const ChannelTestDialog = channelDialog('channel-test-title', TestPicker);

function TestPicker({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState('');
  const [stream, setStream] = useState(false);
  const [endpoint, setEndpoint] = useState('');
  const all = splitList(channel.models);
  const first = channel.test_model;
  const models = (all.includes(first) ? [first, ...all.filter((model) => model !== first)] : all).filter(
    (model) => model.toLowerCase().includes(wanted.toLowerCase()),
  );
  return (
    <>
      <DialogHeading
        id="channel-test-title"
        title={t('channels.test.title', { name: channel.name })}
        note={t('channels.test.help')}
        onClose={onClose}
      />
      <DialogContent>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', mb: 1, mt: 0.5 }}>
          <Box sx={{ flex: 1, minWidth: 160 }}>
            <SearchBox value={wanted} label={t('channels.test.search')} onChange={setWanted} />
          </Box>
          <Select
            size="small"
            value={endpoint}
            displayEmpty
            onChange={(event) => setEndpoint(event.target.value)}
            inputProps={{ 'aria-label': t('channels.test.endpoint') }}
          >
            <MenuItem value="">{t('channels.test.endpointAuto')}</MenuItem>
            {ENDPOINTS.map((each) => (
              <MenuItem key={each} value={each}>
                {t(`channels.endpoint.${each}`)}
              </MenuItem>
            ))}
          </Select>
          <FormControlLabel
            label={t('channels.test.stream')}
            control={<Switch checked={stream} onChange={(_event, checked) => setStream(checked)} />}
          />
        </Box>
        {all.length === 0 ? (
          <Empty title={t('channels.test.noModels')} />
        ) : (
          <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0, minHeight: 160 }}>
            {models.map((model) => (
              <TestLine
                key={model}
                channelId={channel.id}
                model={model}
                stream={stream}
                endpoint={endpoint}
              />
            ))}
          </Box>
        )}
      </DialogContent>
    </>
  );
}

interface TestLineProps {
  channelId: number;
  model: string;
  stream: boolean;
  /** Empty = what the model's name stands for. */
  endpoint: string;
}

function TestLine({ channelId, model, stream, endpoint }: TestLineProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const runTest = useTestWithConsent();
  const test = useMutation({
    mutationFn: () => runTest(channelId, model, { stream, endpoint }),
    onSettled: () => client.invalidateQueries({ queryKey: ['channels', 'list'] }),
  });
  return (
    <Box component="li" sx={{ borderTop: 1, borderColor: 'divider', py: 1, display: 'grid', gap: 0.75 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Typography sx={{ fontFamily: MONO, fontSize: 13, flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          {model}
        </Typography>
        <Button
          size="small"
          variant="outlined"
          color="inherit"
          aria-label={t('channels.test.runModel', { model })}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {test.data === undefined ? t('channels.test.run') : t('channels.test.again')}
        </Button>
      </Box>
      <div aria-live="polite">
        {test.data !== undefined && !test.isPending && <TestResult result={test.data} model={model} />}
      </div>
    </Box>
  );
}

function TestResult({ result, model }: { result: ChannelTest; model: string }) {
  const { t } = useTranslation();
  const text = result.ok ? (result.answer ?? '') : result.message;
  return (
    <Box sx={{ display: 'grid', gap: 0.75 }}>
      <Box
        sx={{
          display: 'flex',
          gap: 1.5,
          alignItems: 'center',
          flexWrap: 'wrap',
          color: 'text.secondary',
          fontSize: 13,
        }}
      >
        <StatusTag
          tone={result.ok ? 'ok' : 'fault'}
          icon={result.ok ? <CheckCircleOutlineRounded /> : <ErrorOutlineRounded />}
        >
          {result.ok ? t('channels.test.ok') : t('channels.test.failed')}
        </StatusTag>
        <span>{t('channels.test.time', { time: formatMilliseconds(result.seconds * 1_000) })}</span>
        {result.firstTokenMs !== undefined && (
          <span>{t('channels.test.first', { time: formatMilliseconds(result.firstTokenMs) })}</span>
        )}
      </Box>
      {text !== '' && (
        <Box
          role="group"
          aria-label={t('channels.test.summary', {
            model,
            result: result.ok ? t('channels.test.ok') : t('channels.test.failed'),
          })}
          sx={{
            bgcolor: 'soft.sunken',
            borderRadius: '8px',
            p: 1.25,
            fontSize: 13,
            overflowWrap: 'anywhere',
            whiteSpace: 'pre-wrap',
            maxHeight: 180,
            overflowY: 'auto',
          }}
        >
          {text}
        </Box>
      )}
    </Box>
  );
}
