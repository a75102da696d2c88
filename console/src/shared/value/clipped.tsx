import { Tip } from '../feedback/tip';
import Box from '@mui/material/Box';

/** Long text on one line; the whole of it on hover. */
export function Clipped({ text, maxWidth = 260 }: { text: string; maxWidth?: number | string }) {
  if (text === '') return null;
  return (
    <Tip title={text.length > 24 ? text : ''}>
      <Box
        component="span"
        sx={{
          display: 'inline-block',
          maxWidth,
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
          verticalAlign: 'bottom',
        }}
      >
        {text}
      </Box>
    </Tip>
  );
}
