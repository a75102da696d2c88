import { describe, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { loadTips, Tip } from './tip';

describe('Tip', () => {
  it('names what it is put around before its code is there, and makes nothing anew that has the focus', async () => {
    render(
      <>
        <Tip title="Copy">
          <button type="button">+</button>
        </Tip>
        <button type="button">Other</button>
      </>,
    );
    const before = screen.getByRole('button', { name: 'Copy' });
    before.focus();
    await act(loadTips);
    expect(before).toHaveFocus();
    await act(async () => screen.getByRole('button', { name: 'Other' }).focus());
    expect(before).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Copy' })).toBeVisible();
  });
});
