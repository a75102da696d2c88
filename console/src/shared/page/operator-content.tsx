import Box from '@mui/material/Box';
import { RichText } from './rich-text';

/** Operator's text of a page: Markdown or HTML, or a bare https address that is shown in a frame. */
export function OperatorContent({ content, frameTitle }: { content: string; frameTitle: string }) {
  if (/^https:\/\/\S+$/.test(content))
    return (
      <Box
        component="iframe"
        src={content}
        title={frameTitle}
        sandbox="allow-scripts allow-forms allow-popups"
        referrerPolicy="no-referrer"
        sx={{ display: 'block', border: 0, width: '100%', height: 'calc(100dvh - 120px)' }}
      />
    );
  return (
    <Box sx={{ maxWidth: 960, mx: 'auto', p: 3 }}>
      <RichText text={content} />
    </Box>
  );
}
