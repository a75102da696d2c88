import { createTheme, type PaletteOptions } from '@mui/material/styles';

const SANS =
  '"Inter Variable", Inter, system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", sans-serif';

/** Colours of soft surfaces: tinted backgrounds behind a word of the same family. */
interface SoftPalette {
  ok: string;
  notice: string;
  warning: string;
  fault: string;
  neutral: string;
  accent: string;
  hover: string;
  sunken: string;
}

declare module '@mui/material/styles' {
  interface Palette {
    soft: SoftPalette;
  }
  interface PaletteOptions {
    soft?: SoftPalette;
  }
}

const light: PaletteOptions = {
  primary: { main: '#4f46e5', dark: '#4338ca', light: '#6366f1', contrastText: '#ffffff' },
  success: { main: '#166534', contrastText: '#ffffff' },
  info: { main: '#1e40af', contrastText: '#ffffff' },
  warning: { main: '#92400e', contrastText: '#ffffff' },
  error: { main: '#b42318', dark: '#912018', contrastText: '#ffffff' },
  background: { default: '#f7f8fa', paper: '#ffffff' },
  text: { primary: '#15181e', secondary: '#525a68', disabled: '#8b93a1' },
  divider: '#e4e7ec',
  action: { hover: 'rgba(21, 24, 30, 0.04)', selected: 'rgba(79, 70, 229, 0.08)' },
  soft: {
    ok: '#e7f6ec',
    notice: '#e8efff',
    warning: '#fdf1dc',
    fault: '#fdeceb',
    neutral: '#eef0f4',
    accent: '#eeedfd',
    hover: '#f3f4f7',
    sunken: '#f4f5f8',
  },
};

const dark: PaletteOptions = {
  primary: { main: '#a5a8ff', dark: '#8b8ff8', light: '#c4c6ff', contrastText: '#12132b' },
  success: { main: '#6fdc97', contrastText: '#07200f' },
  info: { main: '#93bbff', contrastText: '#0a1a38' },
  warning: { main: '#f5c264', contrastText: '#2b1a00' },
  error: { main: '#ff9d94', dark: '#ffb4ad', contrastText: '#3a0905' },
  background: { default: '#0e1014', paper: '#15181e' },
  text: { primary: '#edeff3', secondary: '#a6aebb', disabled: '#6c7482' },
  divider: '#272c35',
  action: { hover: 'rgba(237, 239, 243, 0.05)', selected: 'rgba(165, 168, 255, 0.14)' },
  soft: {
    ok: '#12291b',
    notice: '#14233f',
    warning: '#30240f',
    fault: '#371816',
    neutral: '#232831',
    accent: '#23233f',
    hover: '#1b1f26',
    sunken: '#11141a',
  },
};

/** Motion of the console: short, and none when the system asks for less (see the baseline below). */
const duration = { shortest: 80, shorter: 100, short: 120, standard: 140, complex: 140 } as const;

export const theme = createTheme({
  cssVariables: { colorSchemeSelector: '[data-theme="%s"]' },
  colorSchemes: { light: { palette: light }, dark: { palette: dark } },
  shape: { borderRadius: 10 },
  spacing: 8,
  breakpoints: { values: { xs: 0, sm: 601, md: 900, lg: 1200, xl: 1536 } },
  transitions: { duration: { ...duration, enteringScreen: 140, leavingScreen: 110 } },
  typography: {
    fontFamily: SANS,
    fontSize: 14,
    htmlFontSize: 16,
    body1: { fontSize: 14, lineHeight: 1.55 },
    body2: { fontSize: 13, lineHeight: 1.5 },
    caption: { fontSize: 12, lineHeight: 1.45 },
    h1: { fontSize: 20, fontWeight: 650, lineHeight: 1.3, letterSpacing: '-0.01em' },
    h2: { fontSize: 16, fontWeight: 620, lineHeight: 1.4, letterSpacing: '-0.005em' },
    h3: { fontSize: 14, fontWeight: 620, lineHeight: 1.4 },
    subtitle2: { fontSize: 13, fontWeight: 600 },
    button: { fontSize: 14, fontWeight: 550, textTransform: 'none', letterSpacing: 0 },
    overline: {
      fontSize: 11.5,
      fontWeight: 600,
      letterSpacing: '0.04em',
      lineHeight: 1.6,
      textTransform: 'none',
    },
  },
  components: {
    MuiCssBaseline: {
      styleOverrides: {
        body: {
          fontFeatureSettings: '"cv11", "ss03"',
          // Figures of one width everywhere: in columns, in charts, and where they count up.
          fontVariantNumeric: 'tabular-nums',
          WebkitFontSmoothing: 'antialiased',
        },
        'button, input, textarea': { fontVariantNumeric: 'inherit' },
        '::selection': { background: 'rgba(99, 102, 241, 0.28)' },
        '@media (prefers-reduced-motion: reduce)': {
          '*, *::before, *::after': {
            animationDuration: '0.01ms !important',
            animationIterationCount: '1 !important',
            transitionDuration: '0.01ms !important',
            scrollBehavior: 'auto !important',
          },
        },
      },
    },
    MuiButtonBase: {
      defaultProps: { disableRipple: true },
      styleOverrides: {
        root: ({ theme: t }) => ({
          fontFamily: 'inherit',
          '&.Mui-focusVisible': { outline: `2px solid ${t.vars?.palette.primary.main}`, outlineOffset: 2 },
        }),
      },
    },
    MuiButton: {
      defaultProps: { disableElevation: true, size: 'medium' },
      styleOverrides: {
        root: { borderRadius: 8, minHeight: 36, paddingInline: 14, whiteSpace: 'nowrap' },
        sizeSmall: { minHeight: 30, paddingInline: 10, fontSize: 13 },
        outlined: ({ theme: t }) => ({
          borderColor: t.vars?.palette.divider,
          backgroundColor: t.vars?.palette.background.paper,
        }),
      },
    },
    MuiIconButton: { styleOverrides: { root: { borderRadius: 8 } } },
    MuiPaper: {
      defaultProps: { elevation: 0 },
      styleOverrides: { root: { backgroundImage: 'none' } },
    },
    MuiCard: { defaultProps: { variant: 'outlined' } },
    MuiOutlinedInput: {
      defaultProps: { size: 'small' },
      styleOverrides: {
        root: ({ theme: t }) => ({
          borderRadius: 8,
          fontSize: 14,
          backgroundColor: t.vars?.palette.background.paper,
          '&:not(.Mui-focused):not(.Mui-error):hover .MuiOutlinedInput-notchedOutline': {
            borderColor: t.vars?.palette.text.disabled,
          },
        }),
        notchedOutline: ({ theme: t }) => ({ borderColor: t.vars?.palette.divider }),
        input: { '&::placeholder': { opacity: 0.75 } },
      },
    },
    MuiSelect: { defaultProps: { size: 'small' } },
    MuiFormHelperText: { styleOverrides: { root: { marginLeft: 0, marginRight: 0 } } },
    MuiTooltip: {
      defaultProps: { enterDelay: 350, arrow: false, disableInteractive: false },
      styleOverrides: {
        tooltip: { fontSize: 12, lineHeight: 1.45, borderRadius: 6, padding: '6px 9px', maxWidth: 360 },
      },
    },
    MuiMenu: { styleOverrides: { paper: { borderRadius: 10, marginTop: 4 } } },
    MuiPopover: {
      styleOverrides: {
        paper: ({ theme: t }) => ({
          border: `1px solid ${t.vars?.palette.divider}`,
          boxShadow: '0 8px 28px rgba(10, 14, 25, 0.14)',
        }),
      },
    },
    MuiMenuItem: {
      styleOverrides: {
        root: { fontSize: 14, minHeight: 36, borderRadius: 6, marginInline: 4, paddingInline: 10 },
      },
    },
    MuiDialog: {
      styleOverrides: {
        paper: ({ theme: t }) => ({
          borderRadius: 14,
          border: `1px solid ${t.vars?.palette.divider}`,
          boxShadow: '0 16px 48px rgba(10, 14, 25, 0.2)',
        }),
      },
    },
    MuiDialogTitle: {
      defaultProps: { component: 'h2' },
      styleOverrides: { root: { fontSize: 16, fontWeight: 620, paddingBottom: 8 } },
    },
    MuiDialogActions: { styleOverrides: { root: { padding: '8px 20px 18px', gap: 4 } } },
    MuiDrawer: {
      styleOverrides: {
        paper: ({ theme: t }) => ({ borderColor: t.vars?.palette.divider, borderRadius: 0 }),
      },
    },
    MuiBackdrop: {
      styleOverrides: {
        root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'rgba(10, 12, 20, 0.42)' } },
      },
    },
    MuiTab: {
      styleOverrides: {
        root: { minHeight: 42, padding: '8px 4px', marginRight: 22, minWidth: 0, fontSize: 14 },
      },
    },
    MuiTabs: { styleOverrides: { root: { minHeight: 42 } } },
    MuiTableCell: {
      styleOverrides: {
        root: ({ theme: t }) => ({
          fontSize: 13,
          borderColor: t.vars?.palette.divider,
          paddingInline: 10,
          whiteSpace: 'nowrap',
        }),
        head: ({ theme: t }) => ({
          fontWeight: 560,
          color: t.vars?.palette.text.secondary,
          whiteSpace: 'nowrap',
        }),
      },
    },
    MuiChip: {
      styleOverrides: {
        root: { borderRadius: 6, fontSize: 12.5, fontWeight: 500 },
        sizeSmall: { height: 24 },
      },
    },
    MuiAlert: {
      styleOverrides: {
        root: { borderRadius: 10, alignItems: 'center', fontSize: 13.5 },
        standard: ({ theme: t, ownerState }) => {
          const tone = ({ success: 'ok', info: 'notice', warning: 'warning', error: 'fault' } as const)[
            ownerState.severity ?? 'info'
          ];
          return {
            backgroundColor: t.vars?.palette.soft[tone],
            color: t.vars?.palette.text.primary,
          };
        },
      },
    },
    MuiLink: { defaultProps: { underline: 'hover' } },
    MuiSkeleton: { defaultProps: { animation: 'wave' } },
    MuiSwitch: { defaultProps: { size: 'small' } },
    MuiCheckbox: { defaultProps: { size: 'small' } },
    MuiRadio: { defaultProps: { size: 'small' } },
  },
});
