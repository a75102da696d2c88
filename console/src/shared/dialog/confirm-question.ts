import type { ReactNode } from 'react';

export interface ConfirmQuestion {
  title: string;
  /** The consequence, the number of things, and whether it can be undone. */
  consequence: ReactNode;
  action: string;
  /** Word of the other button; "Cancel" when absent. */
  refusal?: string;
  danger?: boolean;
  /** Must be typed before the action is offered: only for what cannot be undone. */
  typeToConfirm?: string;
}
