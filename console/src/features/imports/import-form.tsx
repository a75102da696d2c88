import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import { useFreshly } from '../../shared/identity/step-up';
import { Section } from '../../shared/page/section';
import { type ImportOrder, type ImportState, useStartImport } from './api';
import { SourceFile } from './source-file';

const PARTS = ['users', 'tokens', 'channels', 'codes', 'orders'] as const;
const LOG_DAYS = ['none', '30', '90', '365', '0'] as const;

interface ImportFormProps {
  state: ImportState;
  sections: ReadonlySet<string> | null;
}

/** Source and contents of an import, the trial run and the run. */
export function ImportForm({ state, sections }: ImportFormProps) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const freshly = useFreshly();
  const start = useStartImport();
  const [addresses, setAddresses] = useState({ source: '', logs: '' });
  const [parts, setParts] = useState<ReadonlySet<string>>(new Set(PARTS));
  const [logDays, setLogDays] = useState<(typeof LOG_DAYS)[number]>('none');
  const [rename, setRename] = useState(false);
  const [converts, setConverts] = useState(false);
  const [takesRoot, setTakesRoot] = useState(false);
  const { file, run } = state;
  const isUploaded = file !== null && file.received === file.size;
  const hasSource = isUploaded || addresses.source.trim() !== '';
  const isBusy = run?.status === 'running' || state.busy_place !== '';
  const wasTried = run !== null && run.kind !== 'undo' && run.status !== 'running' && run.report !== null;
  const orderOf = (trial: boolean): ImportOrder => ({
    trial,
    file_id: isUploaded ? file.id : '',
    address: isUploaded ? '' : addresses.source,
    logs_address: addresses.logs,
    parts:
      parts.size === PARTS.length
        ? null
        : [...PARTS.filter((part) => parts.has(part)), ...(state.is_empty ? ['options' as const] : [])],
    sections: sections === null ? null : ([...sections] as NonNullable<ImportOrder['sections']>),
    conflicts: rename ? 'rename' : 'skip',
    converts,
    takes_over_root: takesRoot,
    log_days: logDays === 'none' ? null : Number(logDays),
  });
  const begin = async (trial: boolean) => {
    const source = isUploaded ? file.name : t('imports.source.address');
    const yes =
      trial ||
      (await confirm({
        title: t('imports.act.confirm', { source }),
        consequence: t('imports.act.confirmText'),
        action: t('imports.act.start'),
      }));
    // A failure shows as a toast.
    if (yes) await freshly(() => start.mutateAsync(orderOf(trial))).catch(() => undefined);
  };
  const togglePart = (part: string) => {
    const next = new Set(parts);
    if (!next.delete(part)) next.add(part);
    setParts(next);
  };
  return (
    <>
      <Section title={t('imports.source.title')}>
        <Box sx={{ display: 'grid', gap: 2, '& > *': { minWidth: 0 } }}>
          <SourceFile state={state} isBusy={isBusy} />
          {!isUploaded && (
            <AddressField
              label={t('imports.source.address')}
              help={t('imports.source.addressHelp')}
              value={addresses.source}
              onChange={(source) => setAddresses({ ...addresses, source })}
            />
          )}
          <Typography variant="body2" color="textSecondary">
            {t('imports.source.litellmHelp')}
          </Typography>
        </Box>
      </Section>
      <Section
        title={t('imports.choice.title')}
        explanation={t(state.is_empty ? 'imports.choice.empty' : 'imports.choice.inUse')}
      >
        <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
          <Box role="group" aria-label={t('imports.choice.parts')} sx={{ display: 'flex', flexWrap: 'wrap' }}>
            {PARTS.map((part) => (
              <Tick
                key={part}
                label={t(`imports.choice.part.${part}`)}
                isTicked={parts.has(part)}
                onChange={() => togglePart(part)}
              />
            ))}
          </Box>
          <Select
            size="small"
            value={logDays}
            onChange={(event) => setLogDays(event.target.value)}
            inputProps={{ 'aria-label': t('imports.choice.logs') }}
          >
            {LOG_DAYS.map((days) => (
              <MenuItem key={days} value={days}>
                {t(`imports.choice.log.${days}`)}
              </MenuItem>
            ))}
          </Select>
          {logDays !== 'none' && (
            <AddressField
              label={t('imports.source.logsAddress')}
              value={addresses.logs}
              onChange={(logs) => setAddresses({ ...addresses, logs })}
            />
          )}
          <Tick label={t('imports.choice.rename')} isTicked={rename} onChange={() => setRename(!rename)} />
          <Tick
            label={t('imports.choice.converts')}
            isTicked={converts}
            onChange={() => setConverts(!converts)}
          />
          {state.is_empty && (
            <Tick
              label={t('imports.choice.root')}
              isTicked={takesRoot}
              onChange={() => setTakesRoot(!takesRoot)}
            />
          )}
          <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
            <Button
              variant={wasTried ? 'outlined' : 'contained'}
              disabled={!hasSource || isBusy}
              loading={start.isPending}
              onClick={() => void begin(true)}
            >
              {t('imports.act.trial')}
            </Button>
            <Button
              variant={wasTried ? 'contained' : 'outlined'}
              disabled={!hasSource || isBusy || !wasTried}
              onClick={() => void begin(false)}
            >
              {t('imports.act.start')}
            </Button>
            <Typography variant="body2" color="textSecondary">
              {t(wasTried ? 'imports.act.trialHelp' : 'imports.act.trialFirst')}
            </Typography>
          </Box>
        </Box>
      </Section>
    </>
  );
}

interface TickProps {
  label: string;
  isTicked: boolean;
  onChange: () => void;
}

function Tick({ label, isTicked, onChange }: TickProps) {
  return (
    <FormControlLabel
      label={label}
      control={<Checkbox size="small" checked={isTicked} onChange={onChange} />}
    />
  );
}

interface AddressFieldProps {
  label: string;
  help?: string;
  value: string;
  onChange: (value: string) => void;
}

/** Hidden like a password: an address holds one. */
function AddressField({ label, help, value, onChange }: AddressFieldProps) {
  const id = useId();
  return (
    <Box sx={{ width: '100%', maxWidth: 640 }}>
      <Typography component="label" htmlFor={id} variant="subtitle2">
        {label}
      </Typography>
      <OutlinedInput
        id={id}
        fullWidth
        type="password"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        sx={{ mt: 0.5 }}
      />
      {help !== undefined && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
          {help}
        </Typography>
      )}
    </Box>
  );
}
