/** Colours of highlight.js classes out of the theme: each of them has contrast in both themes already. */
export const CODE_COLOURS = {
  '& .hljs-comment, & .hljs-quote': { color: 'text.secondary', fontStyle: 'italic' },
  '& .hljs-keyword, & .hljs-selector-tag, & .hljs-literal, & .hljs-section, & .hljs-doctag, & .hljs-meta': {
    color: 'primary.main',
  },
  '& .hljs-string, & .hljs-regexp, & .hljs-addition, & .hljs-attribute, & .hljs-symbol': {
    color: 'success.main',
  },
  '& .hljs-number, & .hljs-variable, & .hljs-template-variable, & .hljs-type, & .hljs-params': {
    color: 'warning.main',
  },
  '& .hljs-title, & .hljs-name, & .hljs-attr, & .hljs-built_in, & .hljs-selector-id, & .hljs-selector-class':
    {
      color: 'info.main',
    },
  '& .hljs-deletion': { color: 'error.main' },
  '& .hljs-emphasis': { fontStyle: 'italic' },
  '& .hljs-strong': { fontWeight: 650 },
} as const;
