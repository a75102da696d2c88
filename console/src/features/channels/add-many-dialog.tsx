import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import LinearProgress from '@mui/material/LinearProgress';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useMemo, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogHeading } from '../../shared/dialog/dialog-heading';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { Loading } from '../../shared/feedback/loading';
import { toast } from '../../shared/feedback/toast';
import { FieldFrame } from '../../shared/form/field-frame';
import { ofAddress, useUnsavedGuard } from '../../shared/form/use-unsaved-guard';
import { MONO } from '../../shared/format/mono';
import { allChannelNamesQuery, channelPresetsQuery, channelTypesQuery, typeModelsQuery } from './api';
import { checkRows } from './many-check';
import { ManyRows } from './many-rows';
import { MANY_COLUMNS, MAX_ROWS, pasteOf, readPaste } from './many-text';
import { UnpricedModels } from './unpriced-models';
import { type ManyResult, useAddMany } from './use-add-many';
import { useFormPrices } from './use-form-prices';

/** Most models whose prices are looked up at once. */
const MAX_LOOKED_UP = 5_000;
const EXAMPLE = ['openai, sk-proj-…, "gpt-5, gpt-5-mini", Main account', ', sk-ant-…', ', gsk_…'].join('\n');

/** A run that did not add every row. */
interface UnfinishedRun extends ManyResult {
  /** Rows in the box. */
  readonly left: number;
}

interface AddManyDialogProps {
  open: boolean;
  onClose: () => void;
}

/** Adds many channels from pasted rows or JSON. Forgets everything when it closes. */
export function AddManyDialog(props: AddManyDialogProps) {
  const [round, setRound] = useState(0);
  return <ManyDialog key={round} {...props} onExited={() => setRound(round + 1)} />;
}

function ManyDialog({ open, onClose, onExited }: AddManyDialogProps & { onExited: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<unknown>();
  const [result, setResult] = useState<UnfinishedRun>();
  const { pasted, rows, isPending, error } = useCheckedRows(text, open);
  const ready = rows.filter(({ faults }) => faults.length === 0);
  const models = [...new Set(ready.flatMap(({ values }) => values.models))].slice(0, MAX_LOOKED_UP);
  const prices = useFormPrices(models);
  const { progress, run, stop } = useAddMany();
  const [isBusy, setBusy] = useState(false);
  const guard = useUnsavedGuard(open && text.trim() !== '', ofAddress);

  const close = async () => {
    if (!isBusy && (await guard.mayLeave())) onClose();
  };
  const add = async () => {
    if (isBusy || ready.length === 0 || typeof pasted === 'string') return;
    setBusy(true);
    setFailure(undefined);
    setResult(undefined);
    try {
      await prices.store();
      const after = await run(ready);
      const left = pasted.rows.filter(({ number }) => !after.added.has(number));
      if (left.length === 0) {
        toast('success', t('manyChannels.added', { count: after.added.size }));
        onClose();
        return;
      }
      // Rows that are left are counted anew.
      const failed = left.flatMap(({ number }, index) => {
        const reason = after.failed.get(number);
        return reason === undefined ? [] : [[index + 1, reason] as const];
      });
      setResult({ ...after, failed: new Map(failed), left: left.length });
      setText(pasteOf(pasted, left));
    } catch (caught) {
      setFailure(caught);
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void add();
  };

  return (
    <Dialog
      open={open}
      onClose={() => void close()}
      fullWidth
      maxWidth="md"
      aria-labelledby={`${id}-title`}
      slotProps={{
        transition: { onExited },
        paper: { sx: { mx: { xs: 1, sm: 4 }, width: { xs: 'calc(100% - 16px)', sm: 'calc(100% - 64px)' } } },
      }}
    >
      <DialogHeading
        id={`${id}-title`}
        title={t('manyChannels.title')}
        note={t('manyChannels.note')}
        onClose={() => void close()}
      />
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <FieldFrame
          id={id}
          label={t('manyChannels.box')}
          help={t('manyChannels.help', { columns: MANY_COLUMNS.join(', ') })}
        >
          <OutlinedInput
            id={id}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setResult(undefined);
            }}
            onKeyDown={onKeyDown}
            placeholder={EXAMPLE}
            disabled={isBusy}
            autoFocus
            fullWidth
            multiline
            minRows={5}
            maxRows={10}
            autoComplete="off"
            inputProps={{ spellCheck: false, 'aria-describedby': `${id}-help` }}
            sx={{ '& textarea': { fontFamily: MONO, fontSize: 13, whiteSpace: 'pre' } }}
          />
        </FieldFrame>
        {typeof pasted === 'string' && (
          <Alert severity="error">{t(`manyChannels.paste.${pasted}`, { max: MAX_ROWS })}</Alert>
        )}
        <FailureAlert failure={failure ?? error} />
        {result !== undefined && <Outcome run={result} />}
        {isPending && text.trim() !== '' && <Loading />}
        {progress !== undefined && <Progress {...progress} />}
        {rows.length > 0 && (
          <ManyRows rows={rows} added={progress?.added} failed={(progress ?? result)?.failed} />
        )}
        {!isBusy && <UnpricedModels prices={prices} />}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        {rows.length > 0 && (
          <Typography variant="body2" color="textSecondary" role="status" sx={{ mr: 'auto', pl: 1 }}>
            {t('manyChannels.ready', { ready: ready.length, count: rows.length })}
          </Typography>
        )}
        {isBusy ? (
          <Button color="inherit" onClick={stop}>
            {t('manyChannels.stop')}
          </Button>
        ) : (
          <Button color="inherit" onClick={() => void close()}>
            {t('common.cancel')}
          </Button>
        )}
        <Button variant="contained" loading={isBusy} disabled={ready.length === 0} onClick={() => void add()}>
          {t('manyChannels.submit', { count: ready.length })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The pasted rows against the providers, models and names that are known; none until these are loaded. */
function useCheckedRows(text: string, isOpen: boolean) {
  const { t } = useTranslation();
  const types = useQuery({ ...channelTypesQuery, enabled: isOpen });
  const presets = useQuery({ ...channelPresetsQuery, enabled: isOpen });
  const usual = useQuery({ ...typeModelsQuery, enabled: isOpen });
  const names = useQuery({ ...allChannelNamesQuery, enabled: isOpen });
  const settled = useDeferredValue(text);
  const pasted = useMemo(() => readPaste(settled), [settled]);
  const rows = useMemo(() => {
    if (typeof pasted === 'string' || !types.data || !presets.data || !usual.data || !names.data) return [];
    const context = { t, types: types.data, presets: presets.data, usual: usual.data, taken: names.data };
    return checkRows(pasted, context);
  }, [t, pasted, types.data, presets.data, usual.data, names.data]);
  const queries = [types, presets, usual, names];
  return {
    pasted,
    rows,
    isPending: queries.some((query) => query.isPending),
    error: queries.find((query) => query.isError)?.error,
  };
}

function Progress({ done, all }: ManyResult) {
  const { t } = useTranslation();
  const label = t('manyChannels.progress', { done, all });
  return (
    <Box>
      <Typography variant="body2" role="status">
        {label}
      </Typography>
      <LinearProgress
        variant="determinate"
        value={all === 0 ? 0 : (done / all) * 100}
        aria-label={label}
        sx={{ mt: 0.5 }}
      />
    </Box>
  );
}

/** Added channels and remaining rows of a run that did not add every row. */
function Outcome({ run: { added, left } }: { run: UnfinishedRun }) {
  const { t } = useTranslation();
  const names = [...added.values()].join(', ');
  return (
    <Alert severity="warning" sx={{ '& .MuiAlert-message': { overflowWrap: 'anywhere' } }}>
      <div>{t('manyChannels.added', { count: added.size })}</div>
      {names !== '' && <Box sx={{ color: 'text.secondary' }}>{names}</Box>}
      <div>{t('manyChannels.left', { count: left })}</div>
    </Alert>
  );
}
