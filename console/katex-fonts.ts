import type { Plugin } from 'vite';

const STYLES = /katex[\\/]dist[\\/]katex\.min\.css$/;
const OLDER_FONTS = /,url\(fonts\/[\w-]+\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g;

/** Leaves KaTeX its woff2 fonts only: every browser the console supports reads them, and the older forms are 700 KB. */
export function katexFonts(): Plugin {
  return {
    name: 'katex-fonts',
    enforce: 'pre',
    transform(styles, id) {
      return STYLES.test(id) ? { code: styles.replaceAll(OLDER_FONTS, ''), map: null } : undefined;
    },
  };
}
