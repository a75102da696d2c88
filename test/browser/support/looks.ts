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

const LANGUAGES = ['en', 'zh'] as const;
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [390, 820, 1440] as const;

const CROSSED: readonly Look[] = LANGUAGES.flatMap((language) =>
  THEMES.flatMap((theme) => WIDTHS.map((width) => ({ language, theme, width }))),
).filter(
  (look) =>
    !EVERY_RUN.some(
      ({ language, theme, width }) =>
        language === look.language && theme === look.theme && width === look.width,
    ),
);

/** The looks every screen is checked in. `LOOKS=all` adds the other combinations of language, theme and width. */
export const LOOKS: readonly Look[] = process.env['LOOKS'] === 'all' ? [...EVERY_RUN, ...CROSSED] : EVERY_RUN;
