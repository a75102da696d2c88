import Box from '@mui/material/Box';
import { BrandMark } from '../../shared/brand/brand-mark';

interface LetterMarkProps {
  letters: string;
  /** Name of the provider, for its logo. */
  name?: string | undefined;
}

/** Logo of a provider, or one or two letters where there is none; the name stands beside it. */
export function LetterMark({ letters, name }: LetterMarkProps) {
  const text = <span>{letters}</span>;
  return (
    <Box
      component="span"
      aria-hidden
      sx={{
        flex: 'none',
        display: 'inline-grid',
        placeItems: 'center',
        width: 24,
        height: 24,
        borderRadius: '6px',
        bgcolor: 'soft.neutral',
        color: 'text.secondary',
        fontSize: 11,
        fontWeight: 650,
      }}
    >
      {name === undefined ? text : <BrandMark name={name} fallback={text} />}
    </Box>
  );
}
