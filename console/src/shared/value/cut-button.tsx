import ButtonBase, { type ButtonBaseProps } from '@mui/material/ButtonBase';
import { MONO } from '../format/mono';

interface CutButtonProps extends Omit<ButtonBaseProps, 'sx' | 'children'> {
  text: string;
  mono?: boolean;
  maxWidth: number | string;
}

/** A text on one line that can be pressed, cut where its room ends. */
export function CutButton({ text, mono = false, maxWidth, ...props }: CutButtonProps) {
  return (
    <ButtonBase
      {...props}
      sx={{
        minHeight: 24,
        minWidth: 24,
        font: 'inherit',
        fontFamily: mono ? MONO : undefined,
        fontSize: mono ? 12.5 : undefined,
        borderRadius: '5px',
        px: 0.5,
        mx: -0.5,
        // Half the padding stands outside on each side.
        maxWidth: maxWidth === '100%' ? 'calc(100% + 8px)' : maxWidth,
        justifyContent: 'flex-start',
        '&:hover': { bgcolor: 'soft.accent', color: 'primary.main' },
      }}
    >
      <span style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{text}</span>
    </ButtonBase>
  );
}
