import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StatusTag } from '../feedback/status-tag';
import { formatSeconds } from '../format/timestamp';
import { RichText } from '../page/rich-text';
import { CopyableText } from '../value/copyable';
import type { Announcement, ApiAddress, Question } from './panel-entries';

const TONES = {
  default: 'neutral',
  ongoing: 'notice',
  success: 'ok',
  warning: 'warning',
  error: 'fault',
} as const;

/** Announcements, the newest first. */
export function Announcements({ entries }: { entries: readonly Announcement[] }) {
  const { t } = useTranslation();
  return (
    <Box component="ol" sx={LIST}>
      {entries.map((entry, index) => (
        <Box component="li" key={index} sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
            <Typography variant="body2" color="textSecondary" component="time" dateTime={entry.publishDate}>
              {dateText(entry.publishDate)}
            </Typography>
            {entry.type !== 'default' && (
              <StatusTag tone={TONES[entry.type]}>{t(`panels.choice.${entry.type}`)}</StatusTag>
            )}
          </Box>
          <Box sx={ENTRY}>
            <RichText text={entry.content} />
          </Box>
          {entry.extra !== '' && (
            <Typography variant="body2" color="textSecondary">
              {entry.extra}
            </Typography>
          )}
        </Box>
      ))}
    </Box>
  );
}

function dateText(moment: string): string {
  const at = Date.parse(moment);
  return Number.isNaN(at) ? '' : formatSeconds(Math.floor(at / 1000));
}

const COLORS: Readonly<Record<string, string>> = {
  blue: 'primary.main',
  green: 'success.main',
  orange: 'warning.main',
  red: 'error.main',
  grey: 'text.disabled',
};

/** Addresses clients may call. */
export function ApiAddresses({ entries }: { entries: readonly ApiAddress[] }) {
  return (
    <Box component="ul" sx={LIST}>
      {entries.map((entry, index) => (
        <Box component="li" key={index} sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Box sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
            <Box
              aria-hidden
              sx={{
                width: 8,
                height: 8,
                borderRadius: '50%',
                flexShrink: 0,
                bgcolor: COLORS[entry.color] ?? 'primary.main',
              }}
            />
            <Typography variant="subtitle2" component="h3">
              {entry.route}
            </Typography>
          </Box>
          <CopyableText text={entry.url} />
          {entry.description !== '' && (
            <Typography variant="body2" color="textSecondary">
              {entry.description}
            </Typography>
          )}
        </Box>
      ))}
    </Box>
  );
}

/** Questions that open their answer. */
export function Questions({ entries }: { entries: readonly Question[] }) {
  return (
    <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      {entries.map((entry, index) => (
        <Box component="details" key={index} sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Typography component="summary" variant="subtitle2" sx={{ cursor: 'pointer' }}>
            {entry.question}
          </Typography>
          <Box sx={{ ...ENTRY, pl: 2 }}>
            <RichText text={entry.answer} />
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** Headings of the operator are those of an entry, not of the page. */
const ENTRY = { '& :is(h1, h2, h3)': { fontSize: 15, mt: 1, mb: 0.5 } } as const;

const LIST = { listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5, minWidth: 0 } as const;
