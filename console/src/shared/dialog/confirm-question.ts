import type { ReactNode } from 'react';

export interface ConfirmQuestion {
  title: string;
  /** What will happen, to how many things, and whether it can be undone. */
  consequence: ReactNode;
  action: string;
  danger?: boolean;
  /** Must be typed before the action is offered: only for what cannot be undone. */
  typeToConfirm?: string;
}
