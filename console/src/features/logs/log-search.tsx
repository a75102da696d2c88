import SearchRounded from '@mui/icons-material/SearchRounded';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { logSuggestionsQuery } from './api';
import type { LogFilterName } from './log-filters';
import { isRequestId } from '../../shared/format/request-id';
import { findingsOf, type Finding } from './log-findings';

const PAUSE_MS = 200;

interface LogSearchProps {
  asAdministrator: boolean;
  onFilter: (patch: Partial<Record<LogFilterName, string>>) => void;
  /** A pasted request id opens its line. */
  onRequest: (id: string) => void;
}

/** Finds models, tokens, accounts and channels by a part of their name, tags and end users by the whole of it; what is chosen becomes an exact filter. */
export function LogSearch({ asAdministrator, onFilter, onRequest }: LogSearchProps) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [position, setPosition] = useState(0);
  const asked = usePaused(text.trim());
  const isId = isRequestId(text);
  const query = useQuery({ ...logSuggestionsQuery(asked, asAdministrator), enabled: asked !== '' && !isId });
  const findings = findingsOf(text, asked === text.trim() ? query.data : undefined);
  const current = Math.min(position, Math.max(0, findings.length - 1));

  const choose = (finding: Finding | undefined) => {
    if (finding === undefined) return;
    setText('');
    setOpen(false);
    if (finding.kind === 'request') onRequest(finding.value);
    else onFilter({ [FILTER_OF_KIND[finding.kind]]: finding.value });
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && findings.length > 0) {
      event.preventDefault();
      setOpen(true);
      setPosition((current + step + findings.length) % findings.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      choose(findings[current]);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setOpen(false);
    }
  };
  const label = t(asAdministrator ? 'logs.filter.searchAll' : 'logs.filter.search');
  const isShown = isOpen && text.trim() !== '';
  return (
    <Box sx={{ position: 'relative', width: { xs: '100%', sm: 300, md: 400 } }}>
      <OutlinedInput
        fullWidth
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setPosition(0);
          setOpen(true);
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text').trim();
          if (!isRequestId(pasted)) return;
          event.preventDefault();
          choose({ kind: 'request', value: pasted.toLowerCase(), label: pasted });
        }}
        onKeyDown={onKey}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        placeholder={label}
        inputProps={{
          role: 'combobox',
          'aria-label': label,
          'aria-expanded': isShown,
          'aria-controls': `${id}-list`,
          'aria-autocomplete': 'list',
          'aria-activedescendant': isShown && findings.length > 0 ? `${id}-${current}` : undefined,
          autoComplete: 'off',
        }}
        startAdornment={
          <InputAdornment position="start">
            <SearchRounded fontSize="small" aria-hidden />
          </InputAdornment>
        }
        sx={{ height: 36, '& input': { textOverflow: 'ellipsis' } }}
      />
      <Paper
        elevation={8}
        sx={{
          position: 'absolute',
          insetInline: 0,
          top: 40,
          zIndex: 5,
          display: isShown ? undefined : 'none',
        }}
      >
        <Box
          component="ul"
          id={`${id}-list`}
          role="listbox"
          aria-label={t('logs.search.results')}
          sx={{ listStyle: 'none', m: 0, p: 0.75, maxHeight: 360, overflowY: 'auto' }}
        >
          {findings.map((finding, index) => (
            <Box
              component="li"
              key={`${finding.kind} ${finding.value}`}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === current}
              // The field keeps the focus, so that leaving it does not close the list first.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(finding)}
              onMouseMove={() => setPosition(index)}
              sx={{
                display: 'flex',
                alignItems: 'center',
                gap: 2,
                px: 1.25,
                minHeight: 34,
                borderRadius: '6px',
                cursor: 'pointer',
                bgcolor: index === current ? 'soft.accent' : undefined,
              }}
            >
              <Typography noWrap variant="body2" sx={{ flex: 1 }}>
                {finding.kind === 'like'
                  ? t('logs.search.like', { text: finding.label })
                  : finding.kind === 'request'
                    ? t('logs.search.request', { id: finding.label })
                    : finding.label}
              </Typography>
              {finding.kind !== 'like' && finding.kind !== 'request' && (
                <Typography variant="caption" color="textSecondary">
                  {t(`logs.search.${finding.kind}`)}
                </Typography>
              )}
            </Box>
          ))}
        </Box>
        {query.isError && (
          <Typography role="status" variant="body2" color="textSecondary" sx={{ px: 2, pb: 1.5 }}>
            {t('logs.search.failed')}
          </Typography>
        )}
      </Paper>
    </Box>
  );
}

const FILTER_OF_KIND = {
  model: 'model_name',
  like: 'model_name',
  token: 'token_name',
  account: 'username',
  channel: 'channel',
  tag: 'tag',
  endUser: 'end_user',
} as const satisfies Record<Exclude<Finding['kind'], 'request'>, LogFilterName>;

/** The text once typing pauses. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
