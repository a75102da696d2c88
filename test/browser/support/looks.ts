export interface Look {
  readonly language: 'en' | 'zh';
  readonly theme: 'light' | 'dark';
  readonly width: number;
}

/** Both languages, both themes, both widths that matter most, each once. */
const EVERY_RUN: readonly Look[] = [
  { language: 'en', theme: 'light', width: 1440 },
  { language: 'zh', theme: 'dark', width: 390 },
];

const CROSSED: readonly Look[] = [
  { language: 'zh', theme: 'dark', width: 1440 },
  { language: 'en', theme: 'light', width: 390 },
  { language: 'en', theme: 'light', width: 768 },
];

/** The looks every screen is checked in. `LOOKS=all` adds the combinations that a usual run leaves out: five minutes more. */
export const LOOKS: readonly Look[] = process.env['LOOKS'] === 'all' ? [...EVERY_RUN, ...CROSSED] : EVERY_RUN;
