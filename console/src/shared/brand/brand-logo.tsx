import Box from '@mui/material/Box';
import { useState, type ReactNode } from 'react';
import { basePath } from '../browser/base-path';
import { isColoured, logoOf } from './brands';

interface BrandLogoProps {
  /** Name of a model or provider. */
  name: string;
  sizePx: number;
  /** Shown for a name without a logo, and while the file cannot be loaded. */
  fallback: ReactNode;
}

/** Logo of a model or provider; decoration, the name stands beside it. */
export function BrandLogo({ name, sizePx, fallback }: BrandLogoProps) {
  const logo = logoOf(name);
  const [failed, setFailed] = useState<string | null>(null);
  if (logo === undefined || failed === logo) return fallback;
  return (
    <Box
      component="img"
      src={`${basePath()}/logos/${logo}.svg`}
      alt=""
      loading="lazy"
      width={sizePx}
      height={sizePx}
      onError={() => setFailed(logo)}
      sx={[
        { flex: 'none', verticalAlign: 'middle' },
        // One colour stands for the text's: black in the file.
        !isColoured(logo) && ((theme) => theme.applyStyles('dark', { filter: 'invert(1)' })),
      ]}
    />
  );
}
