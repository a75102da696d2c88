import { MONO } from '../../../shared/format/mono';
import { CODE_COLOURS } from './code-colours';

/** Name of a part of an answer that is parsed by itself. */
export const SEGMENT = 'segment';

const CODE_BLOCK = {
  '& .code': { border: 1, borderColor: 'divider', borderRadius: '8px', my: 1.25, overflow: 'hidden' },
  '& .code-head': {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    pl: 1.5,
    pr: 0.5,
    minHeight: 32,
    bgcolor: 'soft.neutral',
    color: 'text.secondary',
    fontSize: 12,
  },
  '& .code-head button': {
    font: 'inherit',
    color: 'inherit',
    bgcolor: 'transparent',
    border: 0,
    borderRadius: '6px',
    px: 1,
    minHeight: 26,
    cursor: 'pointer',
    '&:hover': { bgcolor: 'action.hover', color: 'text.primary' },
  },
  '& .code pre': {
    m: 0,
    p: 1.5,
    fontFamily: MONO,
    fontSize: 12.5,
    lineHeight: 1.6,
    overflowX: 'auto',
    bgcolor: 'soft.sunken',
    whiteSpace: 'pre',
    overflowWrap: 'normal',
    // The frame of the block would cut it off.
    outlineOffset: '-2px',
  },
  ...CODE_COLOURS,
} as const;

/** Type of an answer: as in documents, inside the width of a message. */
export const TEXT_STYLES = {
  overflowWrap: 'anywhere',
  lineHeight: 1.65,
  // Parts outside the view cost neither style nor layout nor paint. They cut off what reaches over their edge: a few pixels stay.
  [`& > .${SEGMENT}`]: {
    contentVisibility: 'auto',
    containIntrinsicSize: 'auto 60px',
    mx: -0.5,
    px: 0.5,
    py: 0.5,
  },
  [`& > .${SEGMENT} > :first-of-type`]: { mt: 0 },
  [`& > .${SEGMENT} > :last-child`]: { mb: 0 },
  [`& > .${SEGMENT}:not(:first-of-type) > :is(h1, h2, h3, h4, h5, h6):first-of-type`]: { mt: 1 },
  '& p': { my: 1, whiteSpace: 'pre-wrap' },
  '& h1, & h2, & h3, & h4, & h5, & h6': { fontWeight: 650, lineHeight: 1.35, mt: 2, mb: 0.75 },
  '& h1': { fontSize: 20 },
  '& h2': { fontSize: 17.5 },
  '& h3': { fontSize: 15.5 },
  '& h4, & h5, & h6': { fontSize: 14 },
  '& ul, & ol': { my: 1, pl: 3 },
  '& li': { my: 0.25 },
  '& li > p': { my: 0.25 },
  '& a': { color: 'primary.main' },
  '& blockquote': { m: 0, my: 1, pl: 1.5, borderLeft: 3, borderColor: 'divider', color: 'text.secondary' },
  '& hr': { border: 0, borderTop: 1, borderColor: 'divider', my: 2 },
  '& :not(pre) > code': {
    fontFamily: MONO,
    fontSize: '0.9em',
    px: 0.5,
    py: 0.125,
    borderRadius: '4px',
    bgcolor: 'soft.neutral',
  },
  '& .table': { overflowX: 'auto', my: 1.25 },
  '& table': { borderCollapse: 'collapse', fontSize: 13 },
  '& th, & td': { border: 1, borderColor: 'divider', px: 1, py: 0.5, textAlign: 'left' },
  '& th': { bgcolor: 'soft.neutral', fontWeight: 600 },
  '& .katex-display': { overflowX: 'auto', overflowY: 'hidden', py: 0.5 },
  ...CODE_BLOCK,
} as const;
