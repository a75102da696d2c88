import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { saveText } from '../../shared/browser/save-text';
import type { ConnectPart } from '../../shared/connect/connect-client';
import { Tip } from '../../shared/feedback/tip';
import { MONO } from '../../shared/format/mono';
import { CopyButton } from '../../shared/value/copyable';
import { maskSecret } from '../../shared/value/secret';

interface ConnectPartProps {
  part: ConnectPart;
  /** The key: copies and downloads have it, the page shows its mask. */
  secret: string;
}

/** A file, a command or the fields of a settings page, each to be copied. */
export function ConnectPartView({ part, secret }: ConnectPartProps) {
  const { t } = useTranslation();
  const masked = (text: string): string => text.replaceAll(secret, maskSecret(secret));
  if (part.kind === 'fields')
    return (
      <Frame title={t('tokens.connect.fields')}>
        <Box component="dl" sx={{ m: 0, px: 2, py: 1, display: 'grid', gap: 0.5 }}>
          {part.fields.map(({ label, value }) => (
            <Box key={label} sx={{ display: 'flex', gap: 1, alignItems: 'center', minWidth: 0 }}>
              <Typography component="dt" variant="body2" color="textSecondary" sx={{ minWidth: 150 }}>
                {label}
              </Typography>
              <Box
                component="dd"
                sx={{
                  m: 0,
                  flex: 1,
                  minWidth: 0,
                  fontFamily: MONO,
                  fontSize: 12.5,
                  overflowWrap: 'anywhere',
                }}
              >
                {masked(value)}
              </Box>
              <CopyButton text={value} label={t('common.copyNamed', { name: label })} />
            </Box>
          ))}
        </Box>
      </Frame>
    );
  const isFile = part.kind === 'file';
  const title = isFile ? part.path : t('tokens.connect.command');
  return (
    <Frame
      title={title}
      isPath={isFile}
      tools={
        <>
          <CopyButton text={part.text} label={t('common.copyNamed', { name: title })} />
          {isFile && <DownloadButton name={part.download} text={part.text} />}
        </>
      }
    >
      <Box
        component="pre"
        tabIndex={0}
        aria-label={title}
        sx={{
          m: 0,
          p: 2,
          fontFamily: MONO,
          fontSize: 12.5,
          lineHeight: 1.65,
          overflowX: 'auto',
          bgcolor: 'soft.sunken',
        }}
      >
        {masked(part.text)}
      </Box>
    </Frame>
  );
}

function DownloadButton({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation();
  const label = t('tokens.connect.download', { name });
  return (
    <Tip title={label}>
      <IconButton size="small" aria-label={label} onClick={() => saveText(name, text)}>
        <DownloadRounded sx={{ fontSize: 17 }} />
      </IconButton>
    </Tip>
  );
}

interface FrameProps {
  title: string;
  isPath?: boolean;
  tools?: ReactNode;
  children: ReactNode;
}

function Frame({ title, isPath = false, tools, children }: FrameProps) {
  return (
    <Box sx={{ border: 1, borderColor: 'divider', borderRadius: '8px', overflow: 'hidden', minWidth: 0 }}>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          borderBottom: 1,
          borderColor: 'divider',
          pl: 2,
          pr: 1,
          minHeight: 40,
        }}
      >
        <Typography
          variant="subtitle2"
          sx={{
            flex: 1,
            minWidth: 0,
            overflowWrap: 'anywhere',
            ...(isPath ? { fontFamily: MONO, fontSize: 12.5 } : {}),
          }}
        >
          {title}
        </Typography>
        {tools}
      </Box>
      {children}
    </Box>
  );
}
