import { act } from '@testing-library/react';
import type { TurnstileOptions } from '../shared/human-check/turnstile';

/** Stands in for the human check's script. */
export class FakeTurnstile {
  readonly rendered: TurnstileOptions[] = [];
  readonly removed: string[] = [];

  constructor() {
    window.turnstile = {
      render: (_container, options) => {
        this.rendered.push(options);
        return `widget-${this.rendered.length}`;
      },
      remove: (widgetId) => {
        this.removed.push(widgetId);
      },
    };
  }

  /** The visitor turns out to be one. */
  solve(proof: string): void {
    act(() => this.rendered.at(-1)?.callback(proof));
  }

  /** The proof lay too long. */
  expire(): void {
    act(() => this.rendered.at(-1)?.['expired-callback']());
  }

  remove(): void {
    delete window.turnstile;
  }
}
